/// An entry in a database's history: what was applied, when, and by what.
public struct HistoryEntry: Sendable, Hashable, Codable {
  /// The kind of an entry.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// A plan was applied.
    case apply
    /// A database that already had the schema was added to the ledger.
    case baseline
    /// An apply was undone.
    case undo
  }
  /// The number of the entry, counted from 1; 0 before it is stored.
  public var id: Int
  /// The name of the schema.
  public var schema: String
  /// When it was applied, in UTC as ISO 8601.
  public var appliedAt: String
  /// The kind of an entry.
  public var kind: Kind
  /// The fingerprint of the schema before.
  public var fromFingerprint: String
  /// The fingerprint of the declared schema.
  public var toFingerprint: String
  /// A summary of the change, with a line for each step.
  public var summary: String
  /// The statements that ran.
  public var plan: String
  /// The duration.
  public var milliseconds: Int
  /// The program that applied it.
  public var program: String
  /// The version of SchemaKit.
  public var library: String
  /// The version of SQLite.
  public var engine: String
  /// True if the entry is on the line that leads to the current schema.
  public var isLive: Bool
}

extension HistoryEntry {
  /// Reads an entry from its row, whose columns are in the order of `LedgerShape.history`.
  init(_ row: LedgerRow) throws {
    id = Int(try row.integer(0, "id"))
    schema = try row.text(1, "schema")
    appliedAt = try row.text(2, "applied_at")
    guard let kind = Kind(rawValue: try row.text(3, "kind")) else {
      throw HistoryError.damaged(row.table, .unknownKind(entry: id))
    }
    self.kind = kind
    fromFingerprint = try row.text(4, "from_fingerprint")
    toFingerprint = try row.text(5, "to_fingerprint")
    summary = try row.text(6, "summary")
    plan = try row.text(7, "plan")
    milliseconds = Int(try row.integer(8, "milliseconds"))
    program = try row.text(9, "program")
    library = try row.text(10, "library")
    engine = try row.text(11, "engine")
    isLive = try row.integer(12, "live") == 1
  }
}
