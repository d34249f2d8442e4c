import SchemaKit
import SchemaKitReports

/// The work of `history --discard-kept`: it shows the kept values, asks, discards them and reports.
struct DiscardFlow {
  var console: Console
  var access: DatabaseAccess
  var format: TextFormat
  var isConfirmed: Bool

  func run() throws -> Outcome {
    let shown = try KeptData(over: access.openedForInspection())
    var report = KeptReport(database: access.path, kept: shown.values)
    if format == .text, !console.isQuiet { console.print(report.text(style: console.style)) }
    guard !shown.values.isEmpty else {
      if format == .json { console.print(report.json()) }
      return .done
    }
    guard isConfirmed || console.canAsk else {
      throw CommandError.usage("there is no terminal to ask on; pass --yes to discard this. Nothing was changed.")
    }
    guard isConfirmed || console.ask("Discard this from \(access.path) for good?") else {
      console.error("not discarded. Nothing was changed.")
      return .failed
    }
    let connection = try access.openedForChange()
    let kept = try KeptData(over: connection)
    guard kept.values == shown.values else { throw HistoryError(reason: .keptDataChanged) }
    try kept.discard()
    report.isDiscarded = true
    switch format {
    case .json: console.print(report.json())
    case .text: if !console.isQuiet { console.print(report.ending + "\n") }
    }
    return .done
  }
}
