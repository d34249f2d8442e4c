/// Which ways of changing a table a plan may take.
public enum StrategyChoice: String, Sendable, Hashable, Codable, CaseIterable {
  /// The cheapest that is proved safe: ALTER TABLE, an edit of the catalog, an update in place, a copy that keeps
  /// the indexes, a rebuild.
  case auto
  /// ALTER TABLE where it suffices, else a rebuild; the catalog is never edited.
  case alter
  /// A rebuild of every table that changes.
  case rebuild
}
