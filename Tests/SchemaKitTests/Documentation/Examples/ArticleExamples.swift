import Foundation
import SchemaKit
import SchemaKitReports

// The Swift of the articles in Sources/SchemaKit/SchemaKit.docc. The tests look for its blocks here, line by line, and run
// the functions.

enum StartExample {
  enum First {
    struct Chore: Model {
      let id: Int64?
      var title: String
      var isDone: Bool

      static let table = ModelTable("chores", as: Self.init) {
        Column("id", \.id).primaryKey()
        Column("title", \.title)
        Column("is_done", \.isDone).default(false)
      }
    }

    static func use(_ path: String) throws -> (Int64?, [Chore]) {
      let session = try Session(at: path, schema: ModelSchema { Chore.self })
      let chore = try session.save(Chore(id: nil, title: "Water the plants", isDone: false))
      let open = try session.all(Chore.self, where: { $0.isDone == false })
      return (chore.id, open)
    }
  }

  enum Second {
    struct Chore: Model {
      let id: Int64?
      var title: String
      var isDone: Bool
      var room: String

      static let table = ModelTable("chores", as: Self.init) {
        Column("id", \.id).primaryKey()
        Column("title", \.title).check("length(title) > 0")
        Column("is_done", \.isDone).default(false)
        Column("room", \.room).default("anywhere")
      } indexes: {
        Index("chores_by_room", on: \.room)
      }
    }

    static func look(_ path: String) throws -> String {
      let plan = try SchemaInspector(at: path).plan(to: ModelSchema { Chore.self })
      let text = plan.report(database: "chores.db")
      return text
    }

    static func share(_ path: String) async throws -> [String] {
      let db = try await Database(at: path, schema: ModelSchema { Chore.self })
      let titles = try await db.all(Chore.self, where: { $0.room == "anywhere" }).map(\.title)
      return titles
    }
  }

  /// A release that forgets the room.
  enum Third {
    struct Chore: Model {
      let id: Int64?
      var title: String
      var isDone: Bool

      static let table = ModelTable("chores", as: Self.init) {
        Column("id", \.id).primaryKey()
        Column("title", \.title).check("length(title) > 0")
        Column("is_done", \.isDone).default(false)
      }
    }

    static func open(_ path: String) throws -> String {
      do {
        _ = try Session(at: path, schema: ModelSchema { Chore.self })
        return "opened"
      } catch let error as PlanError {
        return "\(error)"
      }
    }
  }
}

enum RenamedColumnExample {
  struct Person: Model {
    let id: Int64?
    var fullName: String

    static let table = ModelTable("people", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("full_name", \.fullName).renamed(from: "name", "nickname")
    } indexes: {
      Index("people_by_name", on: \.fullName)
    }
  }

  static let schema = ModelSchema { Person.self }
}

enum ChangedTypeExample {
  enum InSQL {
    struct Item: Model {
      let id: Int64?
      var name: String
      var price: Int

      static let table = ModelTable("items", as: Self.init) {
        Column("id", \.id).primaryKey()
        Column("name", \.name)
        Column("price", \.price).converting(sql: "CAST(round(price * 100) AS INTEGER)")
      }
    }
  }

  struct NoPrice: Error { let text: String }

  enum InSwift {
    struct Item: Model {
      let id: Int64?
      var name: String
      var price: Int

      static let table = ModelTable("items", as: Self.init) {
        Column("id", \.id).primaryKey()
        Column("name", \.name)
        Column("price", \Item.price).converting(from: "price") { (text: String) in
          if text == "free" { return 0 }
          guard let euros = Double(text) else { throw NoPrice(text: text) }
          return Int((euros * 100).rounded())
        }
      }
    }
  }

  enum Beside {
    struct Item: Model {
      let id: Int64?
      var name: String
      var price: String
      var cents: Int?

      static let table = ModelTable("items", as: Self.init) {
        Column("id", \.id).primaryKey()
        Column("name", \.name)
        Column("price", \.price)
        Column("cents", \.cents).backfill(sql: "iif(price = 'free', 0, CAST(round(price * 100) AS INTEGER))")
      }
    }
  }

  static func open<Item: Model>(_ type: Item.Type, at path: String) throws -> Session {
    let session = try Session(at: path, schema: ModelSchema { Item.self }) { configuration in
      configuration.backup = .beforeChange(path + ".before-cents")
    }
    return session
  }
}

enum AdoptedExample {
  /// A row of the table `authors`.
  struct Author: Model {
    let id: Int64?
    var name: String?

    static let table = ModelTable("authors", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("name", \.name)
    }
  }

  /// A row of the table `books`.
  struct Book: Model {
    let id: Int64?
    var title: String?
    var author: Int64?
    var isbn: SQLValue?

    static let table = ModelTable("books", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("title", \.title).type("VARCHAR(200)")
      Column("author", \.author).type("INT")
      Column("isbn", \.isbn).type("STRING")
    }
  }

  /// The models and whatever else the schema has.
  enum Models {
    static let schema = ModelSchema {
      Author.self
      Book.self
    }
  }
}

enum SharedFileExample {
  struct Note: Model {
    let id: Int64?
    var title: String

    static let table = ModelTable("notes", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("title", \.title)
    }
  }

  static let schema = ModelSchema { Note.self }

  struct RatedNote: Model {
    let id: Int64?
    var title: String
    var stars: Int

    static let table = ModelTable("notes", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("title", \.title)
      Column("stars", \.stars).default(0)
    }
  }

  enum Opened {
    case ready(Session)
    case tooOld
    case tooNew
    case busy
  }

  static func open(_ path: String) throws -> Opened {
    do {
      let session = try Session(at: path, schema: schema) { configuration in
        configuration.migration = .refuse
        configuration.newerFile = .openAsIs
        configuration.busyTimeout = 2
      }
      return .ready(session)
    } catch let error as PlanError {
      print(error)  // older: the app has not run since the update
      return .tooOld
    } catch let error as HistoryError {
      print(error)  // newer, and without what is declared here
      return .tooNew
    } catch let error as SQLiteError where error.isBusy {
      return .busy
    }
  }

  static func write(_ session: Session, _ note: Note) throws -> Bool {
    do {
      try session.transaction(.immediate) {
        try session.save(note)
      }
      return true
    } catch let error as SQLiteError where error.isBusy {
      return false  // somebody else is writing
    }
  }
}

enum NeighbourExample {
  struct Note: Model {
    let id: Int64?
    var title: String

    static let table = ModelTable("notes", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("title", \.title)
    }
  }

  static func add(_ path: String) throws -> [String] {
    let session = try Session(at: path, schema: ModelSchema { Note.self })
    try session.save(Note(id: nil, title: "First"))
    let players = try session.query("SELECT name FROM player ORDER BY id").map { try $0.get("name", as: String.self) }
    return players
  }

  static func lend(_ handle: OpaquePointer, _ sourceID: String) throws -> [Note] {
    let connection = try SQLiteConnection(borrowing: handle, sourceID: sourceID)
    let session = try Session(over: connection, schema: ModelSchema { Note.self })
    let notes = try session.all(Note.self)
    return notes
  }
}

enum GuaranteeExample {
  static func losses(_ path: String, _ schema: ModelSchema) throws -> [String] {
    let plan = try SchemaInspector(at: path).plan(to: schema)
    let losses = plan.hazards.filter { $0.hazardClass == .destructive || $0.hazardClass == .lossy }
    return losses.map { "\($0.code.rawValue) \($0.object)" }
  }
}
