import Foundation
import SchemaKit

/// SchemaKit as its documentation begins: a struct, and a table that names its properties.
struct KeyPathRecord: BenchRecord, Model {
  let id: Int64
  var title: String
  var author: String
  var place: String
  var note: String
  var rank: Int64
  var visits: Int64
  var price: Double
  var weight: Double
  var payload: Data?

  static let table = ModelTable("records", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("title", \.title)
    Column("author", \.author)
    Column("place", \.place)
    Column("note", \.note)
    Column("rank", \.rank)
    Column("visits", \.visits)
    Column("price", \.price)
    Column("weight", \.weight)
    Column("payload", \.payload)
  } indexes: {
    Index("records_by_rank", on: \.rank)
  }
}

/// The same with functions that write and read rows without key paths.
struct EncodedRecord: BenchRecord, RowEncodable, RowDecodable {
  let id: Int64
  var title: String
  var author: String
  var place: String
  var note: String
  var rank: Int64
  var visits: Int64
  var price: Double
  var weight: Double
  var payload: Data?

  static let table = ModelTable("records", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("title", \.title)
    Column("author", \.author)
    Column("place", \.place)
    Column("note", \.note)
    Column("rank", \.rank)
    Column("visits", \.visits)
    Column("price", \.price)
    Column("weight", \.weight)
    Column("payload", \.payload)
  } indexes: {
    Index("records_by_rank", on: \.rank)
  }

  func encode(into row: inout RowWriter) throws {
    try row.append(id)
    try row.append(title)
    try row.append(author)
    try row.append(place)
    try row.append(note)
    try row.append(rank)
    try row.append(visits)
    try row.append(price)
    try row.append(weight)
    try row.append(payload)
  }

  static func decode(from row: inout RowReader) throws -> Self {
    try Self(
      id: row.read(), title: row.read(), author: row.read(), place: row.read(), note: row.read(), rank: row.read(),
      visits: row.read(), price: row.read(), weight: row.read(), payload: row.read())
  }
}

/// The same written by the macro.
@Model("records") struct MacroRecord: BenchRecord {
  @PrimaryKey let id: Int64
  var title: String
  var author: String
  var place: String
  var note: String
  var rank: Int64
  var visits: Int64
  var price: Double
  var weight: Double
  var payload: Data?

  static let indexes = [Index<MacroRecord>("records_by_rank", on: \.rank)]
}

/// A record whose rank can be named in a condition.
protocol RankedRecord: BenchRecord, Model {
  static func filter(_ range: Range<Int64>) -> @Sendable (Fields<Self>) -> Filter?
}

extension KeyPathRecord: RankedRecord {
  static func filter(_ range: Range<Int64>) -> @Sendable (Fields<Self>) -> Filter? {
    { $0.rank >= range.lowerBound && $0.rank < range.upperBound }
  }
}

extension EncodedRecord: RankedRecord {
  static func filter(_ range: Range<Int64>) -> @Sendable (Fields<Self>) -> Filter? {
    { $0.rank >= range.lowerBound && $0.rank < range.upperBound }
  }
}

extension MacroRecord: RankedRecord {
  static func filter(_ range: Range<Int64>) -> @Sendable (Fields<Self>) -> Filter? {
    { $0.rank >= range.lowerBound && $0.rank < range.upperBound }
  }
}
