import ArgumentParser

/// The choice to try a plan on a copy of the database instead of applying it.
struct RehearsalOptions: ParsableArguments {
  @Flag(help: "Apply the plan to a copy of the database, report what that took, and remove the copy.")
  var rehearse = false

  @Option(
    help: ArgumentHelp(
      "Rehearse, with the copy in this folder; it is beside the database otherwise.", valueName: "folder"),
    completion: .directory)
  var rehearseIn: String?

  @Option(
    help: ArgumentHelp(
      "A file of SQL queries, separated by semicolons: the rehearsal tells those whose plan changes.", valueName: "file"
    ), completion: .file())
  var queries: String?

  /// True if there is a rehearsal.
  var isRehearsal: Bool { rehearse || rehearseIn != nil }

  func validate() throws {
    if queries != nil, !isRehearsal { throw ValidationError("--queries needs --rehearse.") }
  }
}
