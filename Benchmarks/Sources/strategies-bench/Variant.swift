import Foundation
import SchemaKit

/// What a schema says differently from the one that the file has.
protocol Variant: Sendable {
  associatedtype Code: ColumnValue & Sendable = String?
  static var checksPrice: Bool { get }
  static var checksRating: Bool { get }
  static var requiresCategory: Bool { get }
  static var requiresUpdated: Bool { get }
  static var requiresQuantity: Bool { get }
  static var typeOfCreated: String { get }
  /// Whether items refer to their makers, and what becomes of them when the maker goes.
  static var onMakerDeleted: ForeignKeyAction? { get }
}

extension Variant {
  static var checksPrice: Bool { true }
  static var checksRating: Bool { false }
  static var requiresCategory: Bool { true }
  static var requiresUpdated: Bool { false }
  static var requiresQuantity: Bool { false }
  static var typeOfCreated: String { "INTEGER" }
  static var onMakerDeleted: ForeignKeyAction? { nil }
}

enum Unchanged: Variant {}

enum CheckDropped: Variant {
  static var checksPrice: Bool { false }
}

enum NotNullDropped: Variant {
  static var requiresCategory: Bool { false }
}

enum TypeChanged: Variant {
  static var typeOfCreated: String { "BIGINT" }
}

enum NotNullAdded: Variant {
  static var requiresUpdated: Bool { true }
}

enum CheckAdded: Variant {
  static var checksRating: Bool { true }
}

enum Mixed: Variant {
  typealias Code = Int64?
  static var checksPrice: Bool { false }
  static var requiresQuantity: Bool { true }
}

enum Referring: Variant {
  static var onMakerDeleted: ForeignKeyAction? { .cascade }
}

enum ActionChanged: Variant {
  static var onMakerDeleted: ForeignKeyAction? { .setNull }
}

/// The large table. All properties are optional, so that a variant alone says what may be NULL.
struct Item<V: Variant>: Model {
  let id: Int64
  let name: String
  let code: V.Code
  let qty: Int64?
  let price: Double
  let category: String?
  let created: Int64
  let updated: Int64?
  let rating: Int64?
  let note: String?
  let maker: Int64?
  let body: Data

  static var table: ModelTable<Self> {
    ModelTable("item", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("name", \.name)
      Column("code", \.code).notNull()
      Column("qty", \.qty).changed(V.requiresQuantity) { $0.notNull().default(0) }
      Column("price", \.price).changed(V.checksPrice) { $0.check("price >= 0") }
      Column("category", \.category).changed(V.requiresCategory) { $0.notNull() }
      Column("created", \.created).type(V.typeOfCreated)
      Column("updated", \.updated).changed(V.requiresUpdated) { $0.notNull() }
      Column("rating", \.rating).changed(V.checksRating) { $0.check("rating >= 0") }
      Column("note", \.note)
      Column("maker", \.maker).changed(V.onMakerDeleted != nil) {
        $0.references("maker", column: "id", onDelete: V.onMakerDeleted)
      }
      Column("body", \.body)
    } indexes: {
      Index("item_name", on: \.name)
      Index("item_category", on: \.category, \.created)
      Index("item_price", on: \.price)
    }
  }
}

struct Part: Model {
  let id: Int64
  let item: Int64
  let label: String

  static let table = ModelTable("part", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("item", \.item).references("item", column: "id", onDelete: .cascade)
    Column("label", \.label)
  }
}

struct Maker: Model {
  let id: Int64
  let name: String

  static let table = ModelTable("maker", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("name", \.name)
  }
}

extension Column {
  fileprivate func changed(_ condition: Bool, _ change: (Self) -> Self) -> Self { condition ? change(self) : self }
}

extension Variant {
  static var schema: ModelSchema {
    ModelSchema {
      Maker.self
      Item<Self>.self
      Part.self
    }
  }
}
