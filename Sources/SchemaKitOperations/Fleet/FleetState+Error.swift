extension FleetState {
  /// The state of a file after an error that is about it.
  init(of error: any Error) {
    self =
      switch error {
      case let error as SQLiteError: error.isBusy ? .busy : .failed
      case let error as ApplyError:
        if case .statement(_, _, let cause) = error.reason, cause.isBusy { .busy } else { .failed }
      case let error as HistoryError:
        switch error.reason {
        case .newerFormat, .newerFile, .newerForm: .newer
        case .notUndoable, .keptDataChanged, .nothingToUndo, .severalSchemas: .stale
        default: .failed
        }
      case let error as PlanError:
        switch error.reason {
        case .refused, .undeclaredColumns, .cannotKeep, .cannotExpand: .refused
        case .stale: .stale
        case .pending: .pending
        case .unprovable: .failed
        }
      case let error as FleetRefusal:
        switch error.reason {
        case .unplanned, .changedSince: .stale
        case .moreThanPlanned: .refused
        case .replaced: .failed
        case .journal: .skipped
        }
      default: .failed
      }
  }
}
