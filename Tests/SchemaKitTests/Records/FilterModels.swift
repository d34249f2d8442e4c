import Foundation
import SchemaKit
import SchemaKitReports

/// The models of the tests of conditions: columns of all kinds, names that need quotes, relations in both directions.
enum FilterModels {
  /// With full-text search where the running SQLite has it.
  static let schema = Engine.has(.fts5) ? searchable : plain

  private static let searchable = ModelSchema {
    Sample.self
    Place.self
    Odd.self
    Part.self
    VirtualTable("sample_search", using: "fts5", "text", "content='samples'", "content_rowid='id'")
  }

  private static let plain = ModelSchema {
    Sample.self
    Place.self
    Odd.self
    Part.self
  }

  enum Grade: String, ColumnValue, CaseIterable { case low, mid, high }

  struct Style: JSONColumnValue, Hashable {
    var font: String?
    var size: Double
  }

  struct Place: Model, Hashable {
    let id: Int64?
    var name: String
    var parent: Int64?

    static let table = ModelTable("places", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("name", \.name)
      Column("parent", \.parent).references(Place.self)
    }
  }

  struct Origin: Fragment, Hashable {
    var city: String
    var code: Int?

    static let columns = ColumnGroup(as: Self.init) {
      Column("city", \.city)
      Column("code", \.code)
    }
  }

  struct Sample: Model, Hashable {
    let id: Int64?
    var text: String
    var nick: String?
    var number: Int
    var ratio: Double?
    var flag: Bool
    var bytes: Data?
    var moment: Date
    var grade: Grade?
    var style: Style?
    var origin: Origin
    var place: Int64?

    static let table = ModelTable("samples", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("text", \.text)
      Column("nick", \.nick).collate(.nocase)
      Column("number", \.number)
      Column("ratio", \.ratio)
      Column("flag", \.flag)
      Column("bytes", \.bytes)
      Column("moment", \.moment, storing: .iso8601)
      Column("grade", \.grade)
      Column("style", \.style)
      Column(embedding: \.origin, prefix: "origin_")
      Column("place", \.place).references(Place.self)
    }
  }

  /// Names that SQL would take for something else.
  struct Odd: Model, Hashable {
    let key: Int64?
    var order: String
    var quoted: Int
    var spaced: String?
    var foreign: Double

    static let table = ModelTable("select \"from\" tablé", as: Self.init) {
      Column("group", \.key).primaryKey()
      Column("order", \.order).unique()
      Column("a\"b'c]", \.quoted)
      Column("two words; --", \.spaced)
      Column("größe", \.foreign)
    }
  }

  struct Part: Model, Hashable {
    let id: Int64?
    var sample: Int64
    var size: Int

    static let table = ModelTable("parts", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("sample", \.sample).references(Sample.self, onDelete: .cascade)
      Column("size", \.size)
    }
  }

  static func sample(
    _ text: String, id: Int64? = nil, nick: String? = nil, number: Int = 0, ratio: Double? = nil, flag: Bool = false,
    bytes: Data? = nil, moment: Double = 0, grade: Grade? = nil, style: Style? = nil, city: String = "",
    code: Int? = nil,
    place: Int64? = nil
  ) -> Sample {
    Sample(
      id: id, text: text, nick: nick, number: number, ratio: ratio, flag: flag, bytes: bytes,
      moment: Date(timeIntervalSince1970: moment), grade: grade, style: style, origin: Origin(city: city, code: code),
      place: place)
  }
}
