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
        throw AllowOptionError(text: text, problem: "write TABLE or TABLE.COLUMN after the colon")
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
      throw AllowOptionError(text: text, problem: "nothing can allow what is blocked, and notes need no consent")
    default: break
    }
    guard let code = HazardCode(rawValue: word.uppercased()) else {
      if word.contains(",") {
        throw AllowOptionError(text: text, problem: "give each piece of consent with an --allow of its own")
      }
      throw AllowOptionError(
        text: text,
        problem:
          "there is no class or code \"\(word)\"; write lossy, destructive, fault, downgrade or a code such as SK102")
    }
    // Consent to broken objects covers those that are broken in the declaration itself.
    if code == .brokenObject { return .code(code) }
    switch code.hazardClass {
    case .lossy, .destructive, .fault: return .code(code)
    case .blocked:
      throw AllowOptionError(text: text, problem: "\(code.rawValue) (\(code.title)) is blocked, and no consent helps")
    case .note:
      throw AllowOptionError(text: text, problem: "\(code.rawValue) (\(code.title)) is a note and needs no consent")
    }
  }
}

/// An allowance that is not in the format of `--allow`, or that cannot be given.
package struct AllowOptionError: Error, Sendable, Equatable, CustomStringConvertible {
  package let text: String
  package let problem: String

  package var description: String { "--allow \(text) is not understood: \(problem)." }
}
