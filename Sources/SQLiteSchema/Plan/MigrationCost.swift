/// The bytes that a plan writes and about how long it takes, estimated from a sample of the rows that it copies.
///
/// Sizes are accurate within a factor of two. The time is for this machine, assuming a disk that keeps up; a rehearsal
/// (`schemactl apply --rehearse`) measures all of it.
public struct MigrationCost: Sendable, Hashable {
  /// The bytes of new tables and indexes.
  public var writtenBytes: Int
  /// The maximum number of bytes in the rollback journal or the WAL.
  public var journalBytes: Int
  /// The maximum number of bytes by which the file and its journal or WAL grow; for a copy online, with the temporary files in
  /// which the entries of indexes are sorted.
  public var freeBytes: Int
  /// About how long the change takes, in milliseconds; nil if too few rows are copied to tell.
  public var milliseconds: Int?

  package init(writtenBytes: Int, journalBytes: Int, freeBytes: Int, milliseconds: Int? = nil) {
    self.writtenBytes = writtenBytes
    self.journalBytes = journalBytes
    self.freeBytes = freeBytes
    self.milliseconds = milliseconds
  }
}

/// A cost that is ignored when plans are compared, since it is measured anew each time.
package struct EstimatedCost: Sendable, Hashable {
  package var cost: MigrationCost?

  package static func == (left: EstimatedCost, right: EstimatedCost) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}
