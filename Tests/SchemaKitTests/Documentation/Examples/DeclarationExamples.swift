import Foundation
import SchemaKit
import SchemaKitReports

// The Swift of docs/declaring-models.md. The tests look for its blocks here, line by line.

enum FirstExample {
  struct Author: Model {
    let id: Int64?
    var name: String
    var email: String?

    static let table = ModelTable("authors", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("name", \.name).collate(.nocase).check("length(name) > 0")
      Column("email", \.email).unique()
    }
  }

  struct Book: Model {
    let id: Int64?
    var title: String
    var authorID: Int64
    var published: Date?
    var price: Double

    static let table = ModelTable("books", as: Self.init) {
      Column("id", \.id).primaryKey(autoincrement: true)
      Column("title", \.title)
      Column("author_id", \.authorID).references(Author.self, onDelete: .cascade)
      Column("published", \.published)
      Column("price", \.price).default(9.5)
    } constraints: {
      Constraint.unique(\.title, \.authorID)
      Constraint.check("price >= 0", named: "price_is_no_debt")
    } indexes: {
      Index("books_by_author", on: \.authorID)
      Index("books_by_date", on: \.published, .descending).where("published IS NOT NULL")
    } triggers: {
      Trigger("books_touch", .after, .update(of: "title"), body: "UPDATE books SET published = NULL WHERE id = new.id")
    }
  }

  static let schema = ModelSchema {
    Author.self
    Book.self
    SQLView("cheap_books", sql: "SELECT title, price FROM books WHERE price < 5")
    VirtualTable("book_search", .fts5(tokenizer: "porter"), of: Book.self, \.title).where("price > 0")
  }
}

enum ObjectExample {
  typealias Author = FirstExample.Author

  static let schema = ModelSchema {
    Author.self
    SQLObject("CREATE TABLE visits (page TEXT, day TEXT, PRIMARY KEY (page, day DESC)) WITHOUT ROWID")
  }
}

enum ValueExample {
  enum Priority: Int, ColumnValue {
    case low
    case high
  }

  struct Style: JSONColumnValue {
    var font: String
    var size: Double
  }

  struct Task: Model {
    let id: UUID
    var priority: Priority
    var style: Style?
    var labels: Set<String>
    var picture: Data?

    static let table = ModelTable("tasks", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("priority", \.priority).default(.low)
      Column("style", \.style)
      Column("labels", \.labels).default([])
      Column("picture", \.picture)
    }
  }

  static let schema = ModelSchema { Task.self }
}

enum FragmentExample {
  struct Audit: Fragment {
    let created: Date
    let author: String

    static let columns = ColumnGroup(as: Self.init) {
      Column("created", \.created)
      Column("author", \.author)
    }
  }

  struct Page: Model {
    let id: Int64?
    let text: String
    let audit: Audit

    static let table = ModelTable("pages", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("text", \.text)
      Column(embedding: \.audit, prefix: "audit_")
    }
  }

  final class Badge: Model {
    let code: String
    let label: String?

    init(code: String, label: String?) {
      self.code = code
      self.label = label
    }

    static let table = ModelTable("badges", as: Badge.init) {
      Column("code", \.code).primaryKey()
      Column("label", \.label)
    }
  }

  static let schema = ModelSchema {
    Page.self
    Badge.self
  }
}

enum TableExample {
  struct Reading: Model {
    let sensor: String
    let taken: Int64
    let value: Double
    let rounded: Int

    static let table = ModelTable("readings", as: Self.init) {
      Column("sensor", \.sensor)
      Column("taken", \.taken).default(sql: "(unixepoch())")
      Column("value", \.value)
      Column("rounded", \.rounded).type("INT").generated("CAST(round(value) AS INT)", .stored)
    } constraints: {
      Constraint.primaryKey(\.sensor, \.taken)
    }
    .strict().withoutRowID()
  }

  static let schema = ModelSchema { Reading.self }
}

enum HintExample {
  struct Note: Model {
    let id: Int64?
    var title: String
    var body: String
    var created: Int64
    var slug: String

    static let table = ModelTable("notes", as: Self.init, removed: ["legacy"]) {
      Column("id", \.id).primaryKey()
      Column("title", \.title).renamed(from: "heading", "name")
      Column("body", \.body).backfill(sql: "''")
      Column("created", \.created).converting(sql: "CAST(strftime('%s', created) AS INTEGER)")
      Column("slug", \.slug).backfill(sql: "lower(title)")
    }
    .renamed(from: "memos")
  }

  static let schema = ModelSchema(removing: ["drafts"]) {
    Note.self
  }
}

enum OpeningExample {
  static let schema = FirstExample.schema

  static func consent(path: String) throws -> Session {
    let session = try Session(at: path, schema: schema) { configuration in
      configuration.migration = .automatic(
        PlanPolicy(allowing: [.init(.code(.droppedColumn), table: "books", column: "isbn")]))
      configuration.program = "Bookshop 2.0"
      configuration.onPlan = { plan in print(plan.hazards.map(\.message)) }
    }
    return session
  }

  static func refuse(path: String) throws -> [Hazard] {
    do {
      _ = try Session(at: path, schema: schema)
      return []
    } catch let error as PlanError {
      guard case .refused(let plan, let hazards) = error.reason else { throw error }
      print("\(plan.steps.count) steps, of which these keep it from running:", hazards.map(\.code))
      return hazards
    }
  }

  static func look(path: String) throws -> MigrationPlan {
    let plan = try SchemaInspector(at: path).plan(to: schema)
    for step in plan.steps { print(step.strategy, step.object, step.changes) }
    return plan
  }
}
