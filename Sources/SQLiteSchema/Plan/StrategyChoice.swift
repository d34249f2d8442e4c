/// The strategies that a plan may use to change a table.
public enum StrategyChoice: String, Sendable, Hashable, Codable, CaseIterable {
  /// The cheapest that is proved safe: ALTER TABLE, an edit of the catalog, an update in place, a copy that keeps the
  /// indexes, or a rebuild.
  case auto
  /// ALTER TABLE if it suffices, else a rebuild; the catalog is never edited.
  case alter
  /// A rebuild of every changed table.
  case rebuild
  /// As `auto`, but tables that have to be copied are copied while others read and write them.
  case online
}

extension StrategyChoice {
  /// True if every way that is proved safe may be taken, an edit of the catalog too.
  package var takesEveryWay: Bool { self == .auto || self == .online }
}
