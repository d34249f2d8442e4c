package import SchemaKit

/// Something in a schema or a file that is likely to be a mistake, or that its author should know.
///
/// It is a plain value, so that any form of output can be written from it.
package struct Finding: Sendable, Hashable {
  /// The severity of a finding.
  package enum Severity: String, Sendable, Hashable, Codable, CaseIterable {
    /// Something fails now: the file is damaged, or the schema has a view, trigger or write that cannot work.
    case error
    /// Something goes wrong, or is slow, sooner or later.
    case warning
    /// Worth knowing; it fails no check.
    case note
  }

  /// The kind of object that a finding is about.
  package enum Kind: String, Sendable, Hashable, Codable {
    case table, column, index, view, trigger, file
  }

  /// The permanent code, such as SL101. Scripts should test it, never the message.
  package var code: String
  package var severity: Severity
  /// The meaning of the code, in a few words.
  package var title: String
  package var kind: Kind
  /// The affected table or view; nil if it is the whole file.
  package var table: SQLName?
  /// The affected column, index or trigger; nil if it is the table or view itself.
  package var member: SQLName?
  /// The problem and the reason why it matters, in sentences that name the object.
  package var message: String
  /// The remedy, in a sentence.
  package var fix: String
  /// Statements that fix it; empty if the declaration has to change or somebody has to decide.
  package var fixSQL: [String] = []
  /// The page of sqlite.org that the finding is based on.
  package var page: String
  /// Where the definition begins in the object's statement, in UTF-8 bytes.
  package var offset: Int?
  /// The SQL file that contains the definition, as given by the user; nil for databases and models.
  package var file: String?
  /// The line of the file, from 1.
  package var line: Int?
  /// The column of the line, from 1, in Unicode scalars.
  package var column: Int?
}

extension Finding {
  /// The object as `--skip` names it: `table.column` for a column, and the name for all others.
  package var object: String {
    guard let member else { return table?.quotedIfNeeded ?? "" }
    guard kind == .column, let table else { return member.quotedIfNeeded }
    return "\(table.quotedIfNeeded).\(member.quotedIfNeeded)"
  }
}
