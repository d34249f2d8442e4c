/// A piece of SQL in a sketch: literal text, or a name that follows its object through renames.
package enum SQLFragment: Hashable, ExpressibleByStringLiteral {
  case text(String)
  case name(Int)

  package init(stringLiteral value: String) { self = .text(value) }
}

package typealias Phrase = [SQLFragment]

/// A random schema as objects with identities, so that a rename reaches every place that uses the name.
///
/// Rendering gives each identity its present name; `repair` drops whatever a mutation left dangling.
struct SchemaSketch {
  struct Column {
    let id: Int
    var name: String
    var type: String
    var isRequired = false
    var requiredConflict: String?
    var defaultText: String?
    var collation: String?
    var generated: Phrase?
    var isStored = false
  }

  struct Part: Hashable {
    var phrase: Phrase
    var collation: String?
    var isDescending = false
    var column: Int? {
      if phrase.count == 1, case .name(let id) = phrase[0] { return id }
      return nil
    }
  }

  struct Key {
    var name: String?
    var parts: [Part]
    var conflict: String?
    var isAutoincrement = false
    var columns: [Int] { parts.compactMap(\.column) }
  }

  struct Check {
    var name: String?
    var phrase: Phrase
  }

  struct ForeignKey {
    var name: String?
    var columns: [Int]
    var parent: Int
    var parentColumns: [Int]
    var onDelete: String?
    var onUpdate: String?
    var match: String?
    var deferral: String?
  }

  struct Index {
    let id: Int
    var name: String
    var parts: [Part]
    var isUnique: Bool
    var predicate: Phrase?
  }

  struct Table {
    let id: Int
    var name: String
    var columns: [Column]
    var primaryKey: Key?
    var uniques: [Key] = []
    var checks: [Check] = []
    var foreignKeys: [ForeignKey] = []
    var indexes: [Index] = []
    var isStrict = false
    var hasRowID = true

    var ordinary: [Column] { columns.filter { $0.generated == nil } }
    var rowIDColumn: Column? { primaryKey?.parts.first?.isDescending == true ? nil : possibleRowIDColumn }
    /// The column that is the rowid or, where it descends, may be: it depends on how the key is spelled.
    var possibleRowIDColumn: Column? {
      guard hasRowID, let key = primaryKey, key.parts.count == 1 else { return nil }
      return columns.first { $0.id == key.columns.first && $0.type == "INTEGER" }
    }
  }

  /// A view; without columns it is a `SELECT *`.
  struct View {
    struct Output {
      let id: Int
      var alias: String
      var source: Phrase
    }
    let id: Int
    var name: String
    var outputs: [Output]
    var tail: Phrase
    var listsColumns = false
  }

  struct Trigger {
    let id: Int
    var name: String
    var text: Phrase
  }

  var tables: [Table] = []
  var views: [View] = []
  var triggers: [Trigger] = []
  private var lastID = 0

  mutating func newID() -> Int {
    lastID += 1
    return lastID
  }

  /// The present name of every table, column, view and view column.
  var names: [Int: String] {
    var result: [Int: String] = [:]
    for table in tables {
      result[table.id] = table.name
      for column in table.columns { result[column.id] = column.name }
    }
    for view in views {
      result[view.id] = view.name
      for output in view.outputs { result[output.id] = output.alias }
    }
    return result
  }

  /// Every name of an object in the one name space that SQLite has for them, folded.
  var objectNames: Set<String> {
    var result = Set((tables.map(\.name) + views.map(\.name) + triggers.map(\.name)).map(asciiFolded))
    for table in tables { result.formUnion(table.indexes.map { asciiFolded($0.name) }) }
    return result
  }

  /// Removes what no longer holds together: uses of dropped names, foreign keys without a parent key, illegal options.
  mutating func repair() {
    while repairOnce() {}
    for index in tables.indices { tables[index].repairOptions() }
  }

  private mutating func repairOnce() -> Bool {
    let known = names
    let holds: (Phrase) -> Bool = { phrase in
      phrase.allSatisfy { if case .name(let id) = $0 { known[id] != nil } else { true } }
    }
    let before = pieceCount
    for index in tables.indices {
      var table = tables[index]
      table.columns.removeAll { column in column.generated.map { !holds($0) } ?? false }
      let own = Set(table.columns.map(\.id))
      let partsHold: ([Part]) -> Bool = { $0.allSatisfy { holds($0.phrase) } && !$0.isEmpty }
      if let key = table.primaryKey, !partsHold(key.parts) { table.primaryKey = nil }
      table.uniques.removeAll { !partsHold($0.parts) }
      table.checks.removeAll { !holds($0.phrase) }
      table.indexes.removeAll { !partsHold($0.parts) || !holds($0.predicate ?? []) }
      table.foreignKeys.removeAll { key in !key.columns.allSatisfy(own.contains) || !hasParentKey(key) }
      tables[index] = table
    }
    for index in views.indices where !views[index].outputs.isEmpty {
      views[index].outputs.removeAll { !holds($0.source) }
      if views[index].outputs.isEmpty { views[index].tail = [.name(-1)] }
    }
    views.removeAll { !holds($0.tail) }
    triggers.removeAll { !holds($0.text) }
    return pieceCount != before
  }

  private var pieceCount: Int {
    let inTables = tables.reduce(0) { sum, table in
      sum + table.columns.count + table.uniques.count + table.checks.count + table.foreignKeys.count
        + table.indexes.count + (table.primaryKey == nil ? 0 : 1)
    }
    return inTables + views.reduce(0) { $0 + 1 + $1.outputs.count } + triggers.count
  }

  private func hasParentKey(_ key: ForeignKey) -> Bool {
    guard let parent = tables.first(where: { $0.id == key.parent }) else { return false }
    if key.parentColumns.isEmpty { return parent.primaryKey?.parts.count == key.columns.count }
    return parent.candidateKeys.contains { Set($0) == Set(key.parentColumns) }
  }
}

extension SchemaSketch.Table {
  /// Column lists a foreign key may refer to.
  var candidateKeys: [[Int]] {
    ([primaryKey].compactMap { $0 } + uniques).filter { key in key.parts.allSatisfy { $0.collation == nil } }.map(
      \.columns)
  }

  mutating func repairOptions() {
    if primaryKey == nil { hasRowID = true }
    for index in columns.indices where isStrict && !strictTypes.contains(columns[index].type) {
      columns[index].type = columns[index].generated == nil ? strictType(for: columns[index].type) : "ANY"
    }
    if primaryKey?.isAutoincrement == true, rowIDColumn == nil { primaryKey?.isAutoincrement = false }
    // No NULL ever meets it there, and so it is no difference.
    if let key = possibleRowIDColumn?.id, let index = columns.firstIndex(where: { $0.id == key }) {
      columns[index].requiredConflict = nil
    }
    var seen: Set<[Int]> = []
    if let key = primaryKey { seen.insert(key.columns) }
    uniques = uniques.filter { seen.insert($0.columns).inserted }
  }
}

package let strictTypes = ["INTEGER", "INT", "TEXT", "REAL", "BLOB", "ANY"]

/// The STRICT type nearest to a declared type.
func strictType(for type: String) -> String {
  switch RawAffinity(of: type) {
  case .integer: "INTEGER"
  case .text: "TEXT"
  case .real: "REAL"
  case .blob: "BLOB"
  case .numeric: "ANY"
  }
}

/// Lower-cases A to Z only, as SQLite does when it compares names.
package func asciiFolded(_ text: String) -> String {
  String(decoding: text.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
}

/// The five affinities, derived from a declared type by SQLite's own rules.
package enum RawAffinity: String {
  case integer = "INTEGER"
  case text = "TEXT"
  case blob = "BLOB"
  case real = "REAL"
  case numeric = "NUMERIC"

  /// Answers for the types that sketches use, since every look at a table asks for them.
  private static let known = Dictionary(
    Set(SchemaGenerator.types + strictTypes).flatMap { [$0, asciiFolded($0)] }.map { ($0, RawAffinity(deriving: $0)) },
    uniquingKeysWith: { first, _ in first })

  package init(of declared: String) { self = Self.known[declared] ?? RawAffinity(deriving: declared) }

  private init(deriving declared: String) {
    let type = asciiFolded(declared)
    if type.has("int") {
      self = .integer
    } else if type.has("char") || type.has("clob") || type.has("text") {
      self = .text
    } else if type.has("blob") || type.isEmpty {
      self = .blob
    } else if type.has("real") || type.has("floa") || type.has("doub") {
      self = .real
    } else {
      self = .numeric
    }
  }
}

extension String {
  /// True when the characters of the other text occur in this one; Foundation is not needed for it.
  fileprivate func has(_ other: String) -> Bool {
    let part = Array(other.utf8)
    var rest = Substring(self).utf8
    while rest.count >= part.count {
      if rest.starts(with: part) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
