/// The choice to record a change in the database that it changes or not.
package enum HistoryRecording: Sendable, Hashable {
  /// In the tables of the history, with what undoing it needs.
  case ledger
  /// Nowhere: no table of SchemaKit's is created or written.
  case omitted
}
