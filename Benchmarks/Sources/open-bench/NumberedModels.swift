import Foundation
import SchemaKit

/// What tells one of many equal tables from the others.
protocol Number: Sendable {
  static var value: Int { get }
  static var table: ModelTable<Row<Self>> { get }
}

/// A row of a table with seven columns, five constraints and an index.
struct Row<N: Number>: Model {
  let id: Int64?
  let name: String
  let amount: Int64?
  let price: Double?
  let code: String?
  let data: Data?
  let parent: Int64?

  static var table: ModelTable<Self> { N.table }

  static func makeTable() -> ModelTable<Self> {
    ModelTable("t\(N.value)", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("name", \.name).default("")
      Column("amount", \.amount).check("amount >= 0")
      Column("price", \.price)
      Column("code", \.code).collate(.nocase)
      Column("data", \.data)
      Column("parent", \.parent).references("t\(N.value % 10)")
    } constraints: {
      .unique(\.name, \.amount)
    } indexes: {
      Index("i\(N.value)", on: .column(\.code), .column(\.price, .descending))
    }
  }
}

/// A digit. Its table is made once, as that of a model in a program is.
protocol Digit: Number {}

enum D0: Digit {
  static var value: Int { 0 }
  static let table = Row<D0>.makeTable()
}

enum D1: Digit {
  static var value: Int { 1 }
  static let table = Row<D1>.makeTable()
}

enum D2: Digit {
  static var value: Int { 2 }
  static let table = Row<D2>.makeTable()
}

enum D3: Digit {
  static var value: Int { 3 }
  static let table = Row<D3>.makeTable()
}

enum D4: Digit {
  static var value: Int { 4 }
  static let table = Row<D4>.makeTable()
}

enum D5: Digit {
  static var value: Int { 5 }
  static let table = Row<D5>.makeTable()
}

enum D6: Digit {
  static var value: Int { 6 }
  static let table = Row<D6>.makeTable()
}

enum D7: Digit {
  static var value: Int { 7 }
  static let table = Row<D7>.makeTable()
}

enum D8: Digit {
  static var value: Int { 8 }
  static let table = Row<D8>.makeTable()
}

enum D9: Digit {
  static var value: Int { 9 }
  static let table = Row<D9>.makeTable()
}

enum NumberedModels {
  /// A schema of the tables 0 to 9.
  static func schema() -> ModelSchema {
    ModelSchema {
      Row<D0>.self
      Row<D1>.self
      Row<D2>.self
      Row<D3>.self
      Row<D4>.self
      Row<D5>.self
      Row<D6>.self
      Row<D7>.self
      Row<D8>.self
      Row<D9>.self
    }
  }

  /// The SQL of more such tables, from 10 on.
  static func sql(count: Int) -> String {
    (10..<max(count, 10)).map { number in
      """
      CREATE TABLE t\(number) (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT '', amount INTEGER CHECK (amount >= 0),
        price REAL, code TEXT COLLATE NOCASE, data BLOB, parent INTEGER REFERENCES t\(number % 10), UNIQUE (name, amount));
      CREATE INDEX i\(number) ON t\(number) (code, price DESC);
      """
    }.joined()
  }
}
