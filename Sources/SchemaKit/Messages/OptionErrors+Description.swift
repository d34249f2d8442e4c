extension AllowOptionError: CustomStringConvertible {
  package var description: String { "--allow \(text) is not understood: \(problem.clause)." }
}

extension AllowOptionError.Problem {
  /// The problem as a clause, without a full stop.
  fileprivate var clause: String {
    switch self {
    case .noObject: "write TABLE or TABLE.COLUMN after the colon, with unusual names in double quotes"
    case .several: "give each piece of consent with an --allow of its own"
    case .unknown(let word):
      "there is no class or code \"\(word)\"; write lossy, destructive, fault, downgrade or a code such as SK102"
    case .noConsentForClass: "nothing can allow what is blocked, and notes need no consent"
    case .noConsentForCode(let code):
      "\(code.rawValue) (\(code.title)) is "
        + (code.hazardClass == .note ? "a note and needs no consent" : "blocked, and no consent helps")
    }
  }
}

extension RenameOptionError: CustomStringConvertible {
  package var description: String {
    "\"\(text)\" is not a rename; write OLD=NEW, such as users.name=users.title for a column or user=users for a table, "
      + "with unusual names in double quotes."
  }
}
