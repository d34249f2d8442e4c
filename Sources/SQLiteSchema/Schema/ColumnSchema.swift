/// One column of a table.
package struct ColumnSchema: Sendable, Hashable {
  /// How a generated column computes its value.
  package struct Generation: Sendable, Hashable {
    package var expression: CanonicalSQL
    package var isStored: Bool
  }

  package var name: SQLName
  /// The declared type as written; nil when there is none.
  package var type: String?
  package var affinity: Affinity
  /// Whether the column refuses NULL: by its own NOT NULL, or as a key column of a table that forbids NULL in keys.
  package var isNotNull: Bool
  /// What a NULL meets, when the declaration says other than ABORT.
  package var notNullConflict: ConflictClause?
  package var defaultValue: DefaultValue?
  /// The collating sequence, folded; nil for BINARY.
  package var collation: SQLName?
  package var generation: Generation?
  /// Whether any declared type of the same affinity will do, because a Swift type asked for it.
  package var acceptsAnyTypeOfAffinity = false
  /// The definition as it stands in the CREATE TABLE text.
  package var definition: String

  /// What a row gets when it names no value.
  package struct DefaultValue: Sendable, Hashable {
    package var value: CanonicalSQL

    /// An expression with the same value that can stand in a query.
    package var expression: String

    /// Whether the default is a plain constant, so that ADD COLUMN takes it on a table with rows.
    package var isConstant: Bool

    /// Whether the default is NULL.
    package var isNull: Bool

    /// What kind of value stands there.
    package var form: Form
  }
}

extension ColumnSchema {
  /// The declared type in the form that comparisons use: in capitals, without white space beside punctuation.
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

  /// Whether both columns have the same type, as far as the declaration of `self` demands.
  package func hasSameType(as other: ColumnSchema) -> Bool {
    acceptsAnyTypeOfAffinity || other.acceptsAnyTypeOfAffinity
      ? affinity == other.affinity : comparableType == other.comparableType
  }
}
