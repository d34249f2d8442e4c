/// One column of a table.
package struct ColumnSchema: Sendable, Hashable {
  /// The expression of a generated column, and its kind: STORED or VIRTUAL.
  package struct Generation: Sendable, Hashable {
    package var expression: CanonicalSQL
    package var isStored: Bool
  }

  package var name: SQLName
  /// The declared type as written; nil if there is none.
  package var type: String?
  package var affinity: Affinity
  /// True if the column rejects NULL: by its own NOT NULL, or as a key column of a table that forbids NULL in keys.
  package var isNotNull: Bool
  /// The conflict clause for NULL, if it is not ABORT.
  package var notNullConflict: ConflictClause?
  package var defaultValue: DefaultValue?
  /// The collating sequence, folded; nil for BINARY.
  package var collation: SQLName?
  package var generation: Generation?
  /// True if any declared type of the same affinity is accepted, because the type comes from a Swift type.
  package var acceptsAnyTypeOfAffinity = false
  /// The definition as written in the CREATE TABLE text.
  package var definition: String

  /// The value of a row that does not specify one.
  package struct DefaultValue: Sendable, Hashable {
    package var value: CanonicalSQL

    /// An expression with the same value that can be used in a query.
    package var expression: String

    /// True if the default is a plain constant, so that ADD COLUMN accepts it on a table with rows.
    package var isConstant: Bool

    /// True if the default is NULL.
    package var isNull: Bool

    /// The kind of the value.
    package var form: Form
  }
}

extension ColumnSchema {
  /// The declared type in the form used for comparison: in capitals, without white space beside punctuation.
  package var comparableType: String {
    let text = (type ?? "").uppercased()
    guard text.utf8.contains(where: { "(),".utf8.contains($0) }) else { return text }
    var result = ""
    for character in text {
      if character == " ", result.last.map({ "(),".contains($0) }) ?? true { continue }
      if "(),".contains(character), result.last == " " { result.removeLast() }
      result.append(character)
    }
    return result.last == " " ? String(result.dropLast()) : result
  }

  /// True if both columns have the same type, as far as the declaration of `self` requires.
  package func hasSameType(as other: ColumnSchema) -> Bool {
    acceptsAnyTypeOfAffinity || other.acceptsAnyTypeOfAffinity
      ? affinity == other.affinity : comparableType == other.comparableType
  }
}
