import ArgumentParser
import SchemaKit

/// Goes back to the schema before the last change.
struct UndoCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "undo", abstract: "Undo the last change of a database, and bring back what it kept.",
      discussion: """
        Plans the way back to the schema before, on the rows that are there now, and applies it like any other plan. Rows \
        and values that were dropped come back where apply had --keep; what was written since into new tables and columns \
        is lost with them, which requires consent. Each call goes back one more step.
        """)
  }

  @Argument(help: ArgumentHelp("The database file.", valueName: "database"), completion: .file())
  var database: String?
  @Option(help: ArgumentHelp("The schema, if the file has several.", valueName: "name"))
  var schema: String?
  @OptionGroup var consent: ConsentOptions
  @Flag(help: "Do not ask.")
  var yes = false
  @Flag(help: "Do everything and verify it, then roll it back.")
  var dryRun = false
  @Flag(help: "Put a column that comes back in its former place, which copies the table.")
  var strictOrder = false
  @OptionGroup var backup: BackupOptions
  @Option(help: ApplyFormat.help)
  var format = ApplyFormat.text
  @OptionGroup(visibility: .shared) var output: OutputOptions

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output, events: format == .ndjson) {
      let database = try required(database)
      let access = output.access(to: database)
      guard !access.isMissing else {
        throw CommandError(code: .failed, sentence: "\(database) does not exist.\(access.suggestion)")
      }
      return try naming(database) {
        let undo = try MigrationUndo(over: access.opened(), schema: schema)
        let copy = undo.losses.isEmpty ? nil : undo.copy(beside: database)
        console.note(["undoing entry \(undo.entry.id) of \(undo.entry.appliedAt)."])
        console.note(undo.losses)
        console.note(undo.notes)
        // By itself, so that no long list hides it.
        console.note(copy.map { ["The values from before are in \($0), the copy that was made then."] } ?? [])
        let consent = try Consent(consent)
        var flow = ApplyFlow(
          console: console, access: access, target: undo.target, consent: consent,
          loading: TargetLoading(console: console, output: output),
          request: ChangeRequest(
            allowing: consent.policy, program: "\(Tool.programName) \(SchemaKitVersion.current)"),
          backup: DatabaseBackup(console: console, options: backup))
        flow.request.undo = undo.context
        flow.request.plan.profile = try access.profile
        flow.request.plan.isOrderStrict = strictOrder
        flow.request.isDryRun = dryRun
        flow.isConfirmed = yes
        flow.format = format
        return try flow.run()
      }
    }
  }
}
