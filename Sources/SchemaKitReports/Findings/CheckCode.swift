/// The permanent code of a finding of `check`.
package enum CheckCode: String, Sendable, CaseIterable {
  case changePending = "SC101"
  case newerDatabase = "SC102"
  case unrecordedChange = "SC201"
  case changedStep = "SC301"
  case stepWithoutChecksum = "SC302"
  case missingStep = "SC303"
  case stepOrder = "SC304"
  case failingStatement = "SC305"
  case stepNotOfBase = "SC306"
  case staleSnapshot = "SC307"
  case unreadableStep = "SC308"
  case unreadableSchema = "SC309"
  case unreadableDatabase = "SC310"
  case workOnRows = "SC401"

  /// The title of the finding, in a few words.
  package var title: String {
    switch self {
    case .changePending: "Change pending"
    case .newerDatabase: "Database is newer"
    case .unrecordedChange: "Step not recorded"
    case .changedStep, .stepNotOfBase: "Recorded step changed"
    case .stepWithoutChecksum: "Step without checksum"
    case .missingStep: "Recorded step missing"
    case .stepOrder: "Steps out of order"
    case .failingStatement: "Statement would not run"
    case .staleSnapshot: "Snapshot out of date"
    case .unreadableStep: "Step cannot be read"
    case .unreadableSchema: "Schema cannot be read"
    case .unreadableDatabase: "Database cannot be read"
    case .workOnRows: "Work on rows"
    }
  }

  /// The remedy, in Markdown.
  package var remedy: String {
    switch self {
    case .changePending: "`schemactl apply`"
    case .newerDatabase: "check with the schema of the program that uses it"
    case .unrecordedChange: "`schemactl migrations new`"
    case .changedStep, .stepNotOfBase: "revert the change, and record another step"
    case .stepWithoutChecksum: "look at it, then `schemactl migrations hash`"
    case .missingStep: "bring it back, or fold steps with `schemactl migrations squash`"
    case .stepOrder: "`schemactl migrations rebase`"
    case .failingStatement: "move it to `NAME.before.sql` or `NAME.after.sql`"
    case .staleSnapshot: "`schemactl migrations hash`"
    case .unreadableStep, .unreadableSchema: "fix the line"
    case .unreadableDatabase: "see the message"
    case .workOnRows: "look at it"
    }
  }
}
