/// One line of a database's history: what was applied, when, and by what.
public struct HistoryEntry: Sendable, Hashable, Codable {
  /// What happened.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// A plan was applied.
    case apply
    /// A database that had the schema already was taken into the ledger.
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
  /// What happened.
  public var kind: Kind
  /// The fingerprint of the schema before.
  public var fromFingerprint: String
  /// The fingerprint of the declared schema.
  public var toFingerprint: String
  /// What changed, a line for each step.
  public var summary: String
  /// The statements that ran.
  public var plan: String
  /// How long it took.
  public var milliseconds: Int
  /// The program that applied it.
  public var program: String
  /// The version of SchemaKit.
  public var library: String
  /// The version of SQLite.
  public var engine: String
  /// Whether the entry is on the line that leads to the present schema.
  public var isLive: Bool
}

extension HistoryEntry {
  init(row: [SQLValue]) {
    id = Int(row[0].integer ?? 0)
    schema = row[1].text ?? ""
    appliedAt = row[2].text ?? ""
    kind = Kind(rawValue: row[3].text ?? "") ?? .apply
    fromFingerprint = row[4].text ?? ""
    toFingerprint = row[5].text ?? ""
    summary = row[6].text ?? ""
    plan = row[7].text ?? ""
    milliseconds = Int(row[8].integer ?? 0)
    program = row[9].text ?? ""
    library = row[10].text ?? ""
    engine = row[11].text ?? ""
    isLive = row[12].integer == 1
  }
}
