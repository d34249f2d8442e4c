extension Hazard {
  /// A description of what would happen, in a sentence.
  public var message: String { message(promisesUndo: true) }

  /// A description of what would happen, in a sentence.
  ///
  /// - Parameter promisesUndo: True if what is kept can come back. A script cannot promise that, since nothing records
  ///   it in the history.
  package func message(promisesUndo: Bool) -> String {
    let message = cause.wording.message(for: self)
    switch keeping {
    case nil: return message
    case .kept(let storage):
      let end = promisesUndo ? ", and comes back when the change is undone" : ""
      return "\(message) What it holds is kept in \(storage)\(end)."
    case .notKept where column == nil: return "\(message) Its rows cannot be kept."
    case .notKept:
      return
        "\(message) They cannot be kept: that takes a key of \(table) that is NULL in no row, stays, and keeps its type "
        + "and values."
    }
  }

  /// The alternative, in a sentence that names options of `schemactl`; nil if nothing needs to be done.
  public var remedy: String? { remedy(for: .commandLine) }

  /// The alternative, in a sentence that names what a program declares; nil if nothing needs to be done.
  public var remedyInPrograms: String? { remedy(for: .programs) }

  package func remedy(for audience: Audience) -> String? { advice?.words(for: audience) }

  var advice: Remedy? {
    if case .kept = keeping { return nil }
    let own = cause.wording.remedy(for: self)
    guard !readers.isEmpty else { return own }
    let needs = readers.map { "\($0.kind) \($0.object) needs \($0.needs.joined(separator: ", "))" }
    return Remedy([own, "In the file, \(needs.joined(separator: "; "))."].compactMap(\.self), separator: " ")
  }
}
