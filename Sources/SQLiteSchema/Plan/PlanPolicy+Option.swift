extension PlanPolicy {
  /// Adds consent written as `CLASS|CODE[:TABLE[.COLUMN]]`, such as `lossy` or `SK102:users.legacy`; `downgrade` allows
  /// migrating back to a schema that the file has left.
  ///
  /// - Returns: The allowance; nil for `downgrade`.
  /// - Throws: `AllowOptionError` for a text in another format, or for what no consent can allow.
  @discardableResult
  package mutating func add(allow text: String) throws(AllowOptionError) -> Allowance? {
    if text.lowercased() == "downgrade" {
      allowsDowngrade = true
      return nil
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    var allowance = Allowance(try Self.scope(String(parts.first ?? ""), of: text))
    if parts.count == 2 {
      guard let path = SQLName.path(in: String(parts[1])) else {
        throw AllowOptionError(text: text, problem: .noObject)
      }
      allowance.table = path[0]
      allowance.column = path.count == 2 ? path[1] : nil
    }
    allowances.append(allowance)
    return allowance
  }

  /// The consent in the syntax that `add(allow:)` parses.
  package var optionTexts: [String] {
    let texts = allowances.map { allowance in
      let scope =
        switch allowance.scope {
        case .hazardClass(let allowed): allowed.rawValue
        case .code(let code): code.rawValue
        }
      guard let table = allowance.table else { return scope }
      return "\(scope):\(table.quotedIfNeeded)\(allowance.column.map { ".\($0.quotedIfNeeded)" } ?? "")"
    }
    return texts + (allowsDowngrade ? ["downgrade"] : [])
  }

  private static func scope(_ word: String, of text: String) throws(AllowOptionError) -> Allowance.Scope {
    switch word.lowercased() {
    case "lossy": return .hazardClass(.lossy)
    case "destructive": return .hazardClass(.destructive)
    case "fault": return .hazardClass(.fault)
    case "blocked", "note":
      throw AllowOptionError(text: text, problem: .noConsentForClass)
    default: break
    }
    guard let code = HazardCode(rawValue: word.uppercased()) else {
      if word.contains(",") {
        throw AllowOptionError(text: text, problem: .several)
      }
      throw AllowOptionError(text: text, problem: .unknown(word))
    }
    // Consent to broken objects covers those that are broken in the declaration itself.
    if code == .brokenObject { return .code(code) }
    switch code.hazardClass {
    case .lossy, .destructive, .fault: return .code(code)
    case .blocked, .note: throw AllowOptionError(text: text, problem: .noConsentForCode(code))
    }
  }
}

/// An allowance that is not in the format of `--allow`, or that cannot be given.
package struct AllowOptionError: Error, Sendable, Hashable {
  /// The error in the allowance.
  package enum Problem: Sendable, Hashable {
    /// There is no table or column after the colon.
    case noObject
    /// There are several in one.
    case several
    /// There is no class or code of that name.
    case unknown(String)
    /// The class is blocked or a note.
    case noConsentForClass
    /// The code is blocked or a note.
    case noConsentForCode(HazardCode)
  }

  package let text: String
  package let problem: Problem
}
