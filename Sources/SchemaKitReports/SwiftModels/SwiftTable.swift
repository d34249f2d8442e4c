import SchemaKit

/// A table with the names that its model has, and the reason if it cannot be one.
struct SwiftTable {
  let schema: TableSchema
  let statement: CreateTableStatement
  let type: String
  let columns: [SwiftColumn]
  let properties: [SQLName: String]

  init?(_ schema: TableSchema, names: inout SwiftNames) {
    guard case .table(let statement)? = try? SQLParser.create(schema.sql) else { return nil }
    self.schema = schema
    self.statement = statement
    type = names.type(for: schema.name.text)
    var own = SwiftNames()
    columns = zip(schema.columns, statement.columns).enumerated().map { index, column in
      SwiftColumn(
        column.0, definition: column.1, property: own.property(for: column.0.name.text, at: index), in: schema)
    }
    properties = Dictionary(
      zip(schema.columns.map(\.name), columns.map(\.property)), uniquingKeysWith: { first, _ in first })
  }

  /// A key path to the property of a column.
  func path(_ column: SQLName) -> String? { properties[column].map { "\\.\($0)" } }

  /// Key paths to the properties of columns.
  func paths(_ columns: [SQLName]) -> [String] { columns.compactMap(path) }
}

extension SwiftTable {
  /// The reason why no model can express the table; nil if one can.
  func obstacle(in schema: DatabaseSchema) -> String? {
    if self.schema.name.text.isEmpty { return "it has no name" }
    if columns.contains(where: { $0.schema.name.text.isEmpty }) { return "one of its columns has no name" }
    if self.schema.isStrict, let column = columns.first(where: { $0.isUnusuallyStrict }) {
      return "the type of \(column.schema.name) is written in an unusual way"
    }
    return keyObstacle ?? self.schema.foreignKeys.lazy.compactMap { obstacle(of: $0, in: schema) }.first
  }

  private var keyObstacle: String? {
    if let key = schema.primaryKey, let column = key.columns.first(where: { !isPlain($0, in: key) }) {
      return "its primary key sorts or compares \(column.name) in a way of its own"
    }
    for unique in schema.uniques {
      if let column = unique.columns.first(where: { $0.isDescending || !hasOwnCollation($0) }) {
        return "a UNIQUE constraint sorts or compares \(column.name) in a way of its own"
      }
    }
    return nil
  }

  /// True if a column stands in a key as a key path can say it.
  private func isPlain(_ column: KeyColumn, in key: PrimaryKeySchema) -> Bool {
    if !hasOwnCollation(column) { return false }
    return !column.isDescending || (isKeyOfColumn && !key.isAutoincrement)
  }

  private func hasOwnCollation(_ key: KeyColumn) -> Bool {
    guard let column = schema.column(key.name) else { return false }
    return key.collation == column.collation
  }

  /// True if the primary key is declared on its column rather than after all of them.
  private var isKeyOfColumn: Bool {
    statement.columns.contains { column in
      column.constraints.contains { if case .primaryKey = $0.kind { true } else { false } }
    }
  }

  private func obstacle(of key: ForeignKeySchema, in schema: DatabaseSchema) -> String? {
    if key.match != nil { return "its foreign key to \(key.parent) has MATCH" }
    guard let parent = schema.table(key.parent) else { return nil }
    return key.parentColumns.first { parent.column($0) == nil }.map {
      "its foreign key refers to \(parent.name).\($0), which does not exist"
    }
  }
}

/// A column with the property that it becomes.
struct SwiftColumn {
  let schema: ColumnSchema
  let definition: ColumnDefinition
  let property: String
  /// The type of the property, without the question mark of an optional.
  let type: String
  let isOptional: Bool
  /// True if a program sets the property only once.
  let isConstant: Bool
  /// The exact declared type, if it differs from the property's own.
  let exactType: String?
  /// True if a STRICT table has its type in words that a declaration does not take.
  let isUnusuallyStrict: Bool

  init(_ schema: ColumnSchema, definition: ColumnDefinition, property: String, in table: TableSchema) {
    self.schema = schema
    self.definition = definition
    self.property = property
    type = Self.type(of: schema)
    let isRowID = table.rowIDAlias?.name == schema.name
    isOptional = isRowID || !schema.isNotNull
    let isKey = table.primaryKey?.columns.contains { $0.name == schema.name } ?? false
    isConstant = isKey || schema.generation != nil
    let asked = Self.declaredTypes[type] ?? ""
    let isAsked = schema.comparableType == asked
    exactType = isAsked || schema.acceptsAnyTypeOfAffinity ? nil : Self.spelling(of: definition, schema)
    isUnusuallyStrict = table.isStrict && !isAsked && SQLName(exactType ?? "") != SQLName(schema.type ?? "")
  }

  /// The column types that the properties ask for if nothing else is declared.
  private static let declaredTypes = [
    "Int64": "INTEGER", "Bool": "INTEGER", "Double": "REAL", "String": "TEXT", "Data": "BLOB", "SQLValue": "",
  ]

  /// The type that reads whatever the column holds by its declaration: a type of one kind, or any value.
  private static func type(of column: ColumnSchema) -> String {
    let name = column.comparableType.prefix { $0 != "(" }
    switch column.affinity {
    case .integer: return name.split(separator: " ").allSatisfy(isIntegerWord) ? "Int64" : "SQLValue"
    case .real: return "Double"
    case .text: return "String"
    case .blob: return column.comparableType.contains("BLOB") ? "Data" : "SQLValue"
    case .numeric: return name == "BOOLEAN" || name == "BOOL" ? "Bool" : "SQLValue"
    }
  }

  /// True if a word says that a column holds whole numbers; POINT has INT in it as well.
  private static func isIntegerWord(_ word: Substring) -> Bool {
    let stem = word.prefix { !$0.isNumber }
    return [
      "INT", "INTEGER", "TINYINT", "SMALLINT", "MEDIUMINT", "BIGINT", "LONGINT", "UINT", "BIGUINT", "UNSIGNED",
      "SIGNED",
      "BIG", "SMALL", "TINY", "MEDIUM", "LONG",
    ].contains(stem)
  }

  /// The declared type as it must be written in a statement to have this effect.
  private static func spelling(of definition: ColumnDefinition, _ column: ColumnSchema) -> String {
    let written = definition.type ?? ""
    let isWhole = definition.effectiveType.map { $0 == written } ?? true
    // Text in comments counts for SQLite, too.
    let affinity = Affinity(declaredType: definition.effectiveType, isStrict: false)
    return isWhole && affinity != column.affinity && column.comparableType != "ANY"
      ? definition.storedType ?? written : written
  }
}
