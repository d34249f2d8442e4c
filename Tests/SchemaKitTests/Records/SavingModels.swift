import SchemaKit

/// The models of the tests of saving: one for every kind of key and of column that SQLite fills or changes.
enum SavingModels {
  static let schema = ModelSchema {
    Account.self
    Tag.self
    Country.self
    Token.self
    Ticket.self
    Seat.self
    Event.self
    Guest.self
    Child.self
    OnlyKey.self
    LogEntry.self
  }

  struct Account: Model, Hashable {
    let id: Int64?
    var owner: String
    var level: String?
    var score: Int?
    var initial: String?
    var balance: Double

    static let table = ModelTable("accounts", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("owner", \.owner).unique()
      Column("level", \.level).notNull().default("basic")
      Column("score", \.score).default(7)
      Column("initial", \.initial).generated("substr(owner, 1, 1)", .stored)
      Column("balance", \.balance).type("INTEGER")
    }
  }

  struct Tag: Model, Hashable {
    let name: String?
    var weight: Int

    static let table = ModelTable("tags", as: Self.init) {
      Column("name", \.name).primaryKey()
      Column("weight", \.weight)
    }
  }

  struct Country: Model, Hashable {
    let code: String
    var name: String

    static let table = ModelTable("countries", as: Self.init) {
      Column("code", \.code).primaryKey().collate(.nocase)
      Column("name", \.name)
    }
  }

  /// A key that a default makes.
  struct Token: Model, Hashable {
    let value: String?
    var note: String

    static let table = ModelTable("tokens", as: Self.init) {
      Column("value", \.value).primaryKey().notNull().default(sql: "lower(hex(randomblob(8)))")
      Column("note", \.note)
    }.withoutRowID()
  }

  /// A key of which a default makes a part, in a table with a trigger and without a rowid.
  struct Ticket: Model, Hashable {
    let series: String?
    let number: Int?
    var text: String

    static let table = ModelTable("tickets", as: Self.init) {
      Column("series", \.series).notNull().default("S")
      Column("number", \.number)
      Column("text", \.text)
    } constraints: {
      Constraint.primaryKey(\.number, \.series)
    } triggers: {
      Trigger(
        "tickets_after", .after, .insert,
        body: "UPDATE tickets SET text = text || '!' WHERE number = new.number AND series = new.series")
    }.withoutRowID()
  }

  /// The key's columns stand in another order than the table's.
  struct Seat: Model, Hashable {
    let number: Int
    var guest: String?
    let row: Int
    let hall: String

    static let table = ModelTable("seats", as: Self.init) {
      Column("number", \.number)
      Column("guest", \.guest)
      Column("row", \.row)
      Column("hall", \.hall)
    } constraints: {
      Constraint.primaryKey(\.hall, \.row, \.number)
    }
  }

  struct Event: Model, Hashable {
    var name: String?
    var size: Int

    static let table = ModelTable("events", as: Self.init) {
      Column("name", \.name)
      Column("size", \.size)
    }
  }

  /// A row that triggers write about and change.
  struct Guest: Model, Hashable {
    let id: Int64?
    var name: String
    var badge: String?

    static let table = ModelTable("guests", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("name", \.name).unique()
      Column("badge", \.badge)
    } triggers: {
      Trigger("guests_before", .before, .insert, body: "INSERT INTO log (text) VALUES ('try ' || new.name)")
      Trigger(
        "guests_after", .after, .insert,
        body: "UPDATE guests SET badge = upper(new.name) WHERE id = new.id AND badge IS NULL")
      Trigger(
        "guests_change", .after, .update(of: "name"),
        body: "UPDATE guests SET badge = 'was ' || old.name WHERE id = new.id")
    }
  }

  struct Child: Model, Hashable {
    let id: Int64?
    var accountID: Int64

    static let table = ModelTable("children", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("account_id", \.accountID).references(Account.self, onDelete: .cascade)
    }
  }

  struct OnlyKey: Model, Hashable {
    let id: Int64?

    static let table = ModelTable("only_keys", as: Self.init) { Column("id", \.id).primaryKey() }
  }

  struct LogEntry: Model, Hashable {
    let id: Int64?
    var text: String

    static let table = ModelTable("log", as: Self.init) {
      Column("id", \.id).primaryKey(autoincrement: true)
      Column("text", \.text)
    }
  }

  static func account(_ owner: String, id: Int64? = nil) -> Account {
    Account(id: id, owner: owner, level: nil, score: nil, initial: nil, balance: 0)
  }

  /// A model that no schema lists.
  struct Stranger: Model {
    let id: Int64?

    static let table = ModelTable("strangers", as: Self.init) { Column("id", \.id).primaryKey() }
  }
}
