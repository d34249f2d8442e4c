/// A level of verification for the rows of a copied table, before the change is committed.
public enum VerificationLevel: String, Sendable, Hashable, CaseIterable {
  /// Every unchanged value of every copied row is compared with the old one, by one join on the key.
  case full
  /// The rows are counted on both sides.
  case counts
  /// Everything that `full` does, and `PRAGMA integrity_check` of the whole file.
  /// See [PRAGMA integrity_check](https://sqlite.org/pragma.html#pragma_integrity_check).
  case paranoid
}
