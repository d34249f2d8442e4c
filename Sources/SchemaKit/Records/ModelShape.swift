/// The facts about a model's table that reading and writing its rows needs, determined once per session.
///
/// It has identity because many requests share it with the statements compiled for it.
final class ModelShape {
  /// A column of the table.
  struct Column {
    let name: String
    let quoted: String
    /// The quoted name, preceded by that of the table.
    let qualified: String
    let isGenerated: Bool
    let isNeverNull: Bool
    /// True if the property may be nil.
    let isOptional: Bool
    let storage: String
    let coding: (any AnyColumnCoding)?
    /// The SQL of the default that replaces nil, in a column that has a default and rejects NULL.
    let substitute: String?
    let attachments: (@Sendable (SQLValue) throws -> [FileAttachment])?
  }

  /// A foreign key of the table.
  struct Reference {
    let parent: String
    /// The names of the columns, and of those that they refer to; the latter are empty for the parent's key.
    let columns: [String]
    let parentColumns: [String]
  }

  let model: String
  let name: String
  let quotedName: String
  let columns: [Column]
  /// The columns of the primary key, in its order.
  let keyIndexes: [Int]
  /// The type of a key that is one column, stored as its type says.
  let plainKey: String?
  /// The column that is an alias of the rowid.
  let rowIDIndex: Int?
  /// A name of the rowid that no column has, if the table has a rowid and no column of the model is an alias of it.
  let hiddenRowID: String?
  let references: [Reference]
  let codings: [(any AnyColumnCoding)?]
  let indexes: [AnyKeyPath: Int]
  /// Key paths that were asked for, with their columns: to compare two objects takes less time than to hash a path.
  private var knownPaths: [(path: AnyKeyPath, index: Int)] = []
  /// The columns of embedded fragments.
  let fragments: [AnyKeyPath: [Int]]
  let checks: [(column: String, sql: String, name: String?)]
  /// True if SQLite computes or replaces values of a row while it is written.
  let isAltered: Bool
  /// True if each value is read back exactly as given.
  let isExact: Bool
  /// True if SQLite may assign the key of a saved row.
  var mayAssignKey: Bool { rowIDIndex.map { columns[$0].isOptional } ?? false }

  init(_ declaration: TableDeclaration) {
    model = declaration.model
    name = declaration.name
    let quotedName = SQLQuoting.identifier(declaration.name)
    self.quotedName = quotedName
    let keyed = Self.keyIndexes(of: declaration)
    keyIndexes = keyed
    let rowID = declaration.columns.firstIndex { declaration.isRowID($0) }
    rowIDIndex = rowID
    columns = declaration.columns.enumerated().map { index, column in
      let refusesNull = column.notNull != nil || !column.valueType.isOptional
      return Column(
        name: column.name, quoted: SQLQuoting.identifier(column.name),
        qualified: "\(quotedName).\(SQLQuoting.identifier(column.name))", isGenerated: column.generated != nil,
        isNeverNull: index == rowID || (refusesNull && column.generated == nil),
        isOptional: column.valueType.isOptional, storage: column.valueType.name,
        coding: column.coding,
        substitute: index != rowID && (column.notNull != nil || keyed.contains(index)) && column.valueType.isOptional
          ? column.defaultSQL : nil,
        attachments: column.attachments)
    }
    plainKey = keyed.count == 1 && columns[keyed[0]].coding == nil ? columns[keyed[0]].storage : nil
    let names = Set(declaration.columns.map { SQLName($0.name) })
    let hidden = ["rowid", "_rowid_", "oid"].first { !names.contains(SQLName($0)) }
    hiddenRowID = declaration.isWithoutRowID || rowID != nil ? nil : hidden
    codings = columns.contains { $0.coding != nil } ? columns.map(\.coding) : []
    indexes = Dictionary(
      declaration.columns.enumerated().map { ($1.path(), $0) }, uniquingKeysWith: { first, _ in first })
    fragments = declaration.columns.enumerated().reduce(into: [:]) { fragments, column in
      for path in column.element.fragments() { fragments[path, default: []].append(column.offset) }
    }
    references = Self.references(of: declaration)
    checks = declaration.columns.flatMap { column in column.checks.map { (column.name, $0.sql, $0.name) } }
    isExact = !declaration.columns.contains { $0.mayRound }
    isAltered =
      columns.contains { $0.isGenerated || $0.substitute != nil }
      || declaration.columns.contains { $0.exactType != nil }
      // An UPSERT keeps the existing key, which a different collation may consider equal.
      || keyed.contains { declaration.columns[$0].collation != nil }
  }

  private static func keyIndexes(of declaration: TableDeclaration) -> [Int] {
    if let index = declaration.columns.firstIndex(where: { $0.primaryKey != nil }) { return [index] }
    for case .primaryKey(let paths, _) in declaration.constraints.map(\.kind) {
      return paths.compactMap { path in declaration.columns.firstIndex { $0.path() == path } }
    }
    return []
  }

  private static func references(of declaration: TableDeclaration) -> [Reference] {
    func name(_ path: AnyKeyPath) -> String? { declaration.columns.first { $0.path() == path }?.name }
    let single = declaration.columns.compactMap { column in
      column.reference.map {
        Reference(parent: $0.table(), columns: [column.name], parentColumns: $0.columns().compactMap { $0 })
      }
    }
    let composite = declaration.constraints.compactMap { constraint -> Reference? in
      guard case .foreignKey(let paths, let reference) = constraint.kind else { return nil }
      return Reference(
        parent: reference.table(), columns: paths.compactMap(name),
        parentColumns: reference.columns().compactMap { $0 })
    }
    return single + composite
  }
}

extension DeclaredColumn {
  /// The default as SQL that can be used in an expression.
  fileprivate var defaultSQL: String? {
    switch defaultValue {
    case .literal(let literal): literal
    case .expression(let sql): "(\(sql))"
    case .unrepresentable, nil: nil
    }
  }
}

extension ModelShape {
  /// The table as written in a statement: a temporary table of the same name must not be meant.
  var source: String { "\"main\".\(quotedName)" }

  /// The index of the column that a key path leads to.
  func index(at path: AnyKeyPath) -> Int? {
    for known in knownPaths where known.path === path { return known.index }
    guard let index = indexes[path] else { return nil }
    // Not without end: those into fragments are made anew each time.
    if knownPaths.count < columns.count { knownPaths.append((path, index)) }
    return index
  }

  /// The index of the column with a name.
  func index(of name: String) -> Int? {
    let name = SQLName(name)
    return columns.firstIndex { SQLName($0.name) == name }
  }

  /// The columns to select, in the order of the model, followed by the rowid if it identifies the row.
  func selection(qualifier: String) -> String {
    var list = columns.map { "\(qualifier).\($0.quoted)" }
    if let hiddenRowID { list.append("\(qualifier).\(hiddenRowID)") }
    return list.joined(separator: ", ")
  }

  /// The number of columns in ``selection(qualifier:)``.
  var selectionWidth: Int { columns.count + (hiddenRowID == nil ? 0 : 1) }

  /// The condition that a row has the key bound to `?1`, `?2` and so on by `parameter`.
  func keyCondition(_ parameter: (Int) -> String) -> String {
    keyIndexes.enumerated().map { "\(columns[$1].quoted) = \(parameter($0))" }.joined(separator: " AND ")
  }
}
