extension StorageCheck {
  /// A row that breaks a rule of its table, as `integrity_check` reports it: `NULL value in t.c`, `CHECK constraint
  /// failed in t`.
  package struct ValueFinding: Sendable, Hashable {
    /// The whole line.
    package let text: String
    /// The table, or the table and the column with a dot between them, as they are written in the schema.
    package let place: String
    /// True if a column is said to hold NULL.
    package var isNull: Bool { text.hasPrefix("NULL value in ") }

    /// Reads a line; nil if it is about how a row is stored, and not about its values.
    init?(_ line: String) {
      let isAboutValues =
        ["NULL value in ", "CHECK constraint failed in ", "NUMERIC value in ", "TEXT value in "].contains {
          line.hasPrefix($0)
        } || (line.hasPrefix("non-") && line.contains(" value in "))
      guard isAboutValues, let mark = line.firstRange(of: " in ") else { return nil }
      text = line
      place = String(line[mark.upperBound...])
    }

    /// True if the row is in the table with a name.
    package func isInTable(named name: String) -> Bool { place == name || place.hasPrefix("\(name).") }
  }
}
