/// Rules that a schema keeps beyond those of SQLite.
///
/// ```swift
/// static let schema = ModelSchema(rules: .synchronised) {
///   Note.self
/// }
/// ```
public struct SchemaRules: OptionSet, Sendable, Hashable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The rules for a file that CloudKit, PowerSync or a CRDT replicates: several devices write rows of their own, under the
  /// schema that each of their programs knows, and the rows are merged later.
  ///
  /// `lint` finds what such a schema must not have (SL601 to SL604). A plan that brings it in, or that renames, drops or
  /// retypes what the other devices still write, needs consent (SK218).
  public static let synchronised = SchemaRules(rawValue: 1)
}

extension SchemaRules {
  /// The rules by their names.
  package static let named: [String: SchemaRules] = ["synchronised": .synchronised]

  /// The names of the rules.
  package var names: [String] { Self.named.filter { contains($0.value) }.keys.sorted() }
}

/// A part of a table that rows of several devices cannot keep.
package enum SynchronisationFault: Sendable, Hashable {
  /// No key identifies a row in other files.
  case noKey
  /// A number is the key, and two devices give the same one.
  case numberedKey(SQLName)
  /// Rows of two devices may have equal values, in a constraint or, where it is named, an index.
  case unique([SQLName], index: SQLName?)
  /// A row of a program that does not know the column has no value for it.
  case requiredValue(SQLName)
  /// A row that was deleted on one device is still referred to on another.
  case refusedDelete([SQLName], parent: SQLName)

  /// The column that it is about, if there is one.
  package var column: SQLName? {
    switch self {
    case .noKey: nil
    case .numberedKey(let column), .requiredValue(let column): column
    case .unique(let columns, _), .refusedDelete(let columns, _): columns.count == 1 ? columns[0] : nil
    }
  }
}

extension TableSchema {
  /// The parts that rows of several devices cannot keep.
  ///
  /// - Parameter indexes: The indexes of the table.
  package func synchronisationFaults(indexes: [IndexSchema]) -> [SynchronisationFault] {
    let key = primaryKey?.columns.compactMap { column($0.name) } ?? []
    var faults: [SynchronisationFault] = []
    if key.isEmpty { faults.append(.noKey) }
    if let number = key.first, key.count == 1, number.affinity == .integer { faults.append(.numberedKey(number.name)) }
    let keyNames = Set(key.map(\.name))
    let uniques =
      self.uniques.map { (columns: $0.columns.map(\.name), index: SQLName?.none) }
      + indexes.filter(\.isUnique).map { (columns: $0.terms.compactMap(\.column), index: $0.name) }
    // Rows that are equal in the whole key are the same row.
    faults += uniques.filter { keyNames.isEmpty || !keyNames.isSubset(of: $0.columns) }.map {
      .unique($0.columns, index: $0.index)
    }
    faults += columns.filter { column in
      column.isNotNull && column.generation == nil && column.defaultValue?.isNull ?? true
        && !key.contains { $0.name == column.name }
    }.map { .requiredValue($0.name) }
    faults += foreignKeys.filter { [.noAction, .restrict].contains($0.onDelete) }.map {
      .refusedDelete($0.columns, parent: $0.parent)
    }
    return faults
  }
}
