import SchemaKitFoundation

/// The part of the schema before a change that the history keeps so that the change can be undone.
///
/// The plan for undoing is made when it is needed, for the rows that exist then.
package struct UndoRecord: Sendable, Hashable, Codable {
  /// A table or column that was renamed, with its names before and after.
  package struct Rename: Sendable, Hashable, Codable {
    package var table: String
    /// The column; nil if the table itself was renamed.
    package var column: String?
    package var newTable: String
    package var newColumn: String?
  }

  /// Rows with dangling references before the change.
  package struct Violation: Sendable, Hashable, Codable {
    package var child: String
    package var parent: String
    package var count: Int
    /// The columns of the foreign key; nil if only the count is known: for very many rows, and in records of older
    /// versions.
    package var columns: [String]?
    /// The rowids of the rows, or the values of their primary key.
    package var rows: [String]?
    /// The number of rows for each reference.
    package var values: [String: Int]?
  }

  /// The ledger's record of the schema before; nil if it was not known.
  package struct FormerRecord: Sendable, Hashable, Codable {
    package var fingerprint: String
    package var declaration: String
    package var objects: [String]
    /// True if nobody had changed the file's schema since; nil in records of older versions.
    package var isUnchanged: Bool?

    private enum CodingKeys: String, CodingKey {
      case fingerprint, declaration, objects
      case isUnchanged = "isStanding"
    }
  }

  /// The format version of this record.
  package var formatVersion = 1
  /// The objects that the schema had in the file, as statements that create them.
  package var statements: [String]
  package var renames: [Rename]
  package var former: FormerRecord?
  /// The fingerprint of the schema's objects in the file after the change.
  package var fingerprintAfter: String
  package var violations: [Violation]
  /// The data steps that the change ran.
  package var dataSteps: [String]
  /// The losses that undoing does not restore, one sentence each, for versions that know nothing else.
  private var sentences: [String] = []
  /// The losses that undoing does not restore; nil in records of older versions.
  private var lost: [Loss]?
  /// NULLs that undoing restores; nil if there are none.
  package var nulls: [KeptNulls]?
  /// The columns whose values the declared conversions changed, by their names before and after; nil in records of
  /// older versions.
  package var conversions: [Rename]?
  /// The digests of the hints for swapped names that the change was the first to settle; nil in records of older
  /// versions.
  package var formerNames: [String]?
  /// The forms of the columns before the change; nil where they were not known, and in records of older versions.
  package var forms: FormMemory?
  /// The recorded step that made the change, if one did.
  package var recordedMigration: String?
  /// The copy that the run made before its first change, if it made one; beside the database where there is no folder.
  package var copy: String?
  /// True if the change removed what the file had for an older program; nil in records of other changes.
  package var isContraction: Bool?
}

extension UndoRecord {
  private enum CodingKeys: String, CodingKey {
    case formatVersion, statements, renames, former, fingerprintAfter, violations, dataSteps, lost,
      nulls, conversions
    case formerNames, copy, forms, isContraction
    // As the first ledgers have it.
    case recordedMigration = "recordedStep"
    case sentences = "losses"
  }

  /// The losses that undoing does not restore.
  package var losses: [Loss] {
    get { lost ?? Loss.read(former: sentences, renames: renames, statements: statements) }
    set {
      lost = newValue
      sentences = newValue.map(\.words)
    }
  }

  /// Reads a record from the history.
  ///
  /// - Throws: `HistoryError` if it is not a record, or has a newer format.
  init(json text: String, entry: Int) throws {
    guard let record = try? JSONDecoder().decode(UndoRecord.self, from: Data(text.utf8)), record.formatVersion == 1
    else {
      throw HistoryError(reason: .notUndoable(entry: entry, problem: .unreadableRecord))
    }
    self = record
  }

  /// The record as stored in the history.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
