import ArgumentParser
import SchemaKit
import SchemaKitOperations
import SchemaKitReports

/// Prints one schema.
struct InspectCommand<Tool: SchemaCommandLine>: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case sql, json, swift, mermaid, dot, html }

  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "inspect",
      abstract: "Print a schema as SQL, as a snapshot that --to accepts, as Swift models, or as a picture.",
      discussion: """
        As SQL, a database's schema comes without the hints in its comments, such as "schemakit: removed nick": they were \
        meant for the change that was made.

        With --format swift: a model for each table, and one ModelSchema that makes the same schema. SQL says what models \
        cannot; standard error names it.
        """)
  }

  @Argument(
    help: ArgumentHelp(
      "A schema: SQL, in one file or several, database, snapshot, folder of migrations, or -. When this is missing, a "
        + "program with models takes them, and others the setting database, or schema.", valueName: "schema"),
    completion: .file())
  var schema: [String] = []
  @Option(help: MigrationLayout.help)
  var layout: MigrationLayout?
  @Option(
    help: "The format of the schema: sql; json, a snapshot; swift, models; mermaid or dot, a diagram; html, a page.")
  var format = Format.sql
  @OptionGroup(visibility: .shared) var output: OutputOptions

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output) {
      let loaded = try TargetLoading(console: console, output: output).schema(
        at: schema, models: Tool.models, layout: layout)
      switch format {
      case .sql:
        if output.verbose, let writer = loaded.target.lastWriter {
          console.print("-- Last written by SQLite \(writer).\n")
        }
        console.print(SchemaReport.sql(loaded.target.schema, keepsHints: !loaded.isDatabase))
      case .mermaid: console.print(SchemaReport.mermaid(loaded.target.schema))
      case .dot: console.print(SchemaReport.dot(loaded.target.schema))
      case .html: console.print(SchemaReport.html(loaded.target.schema, name: loaded.name))
      case .json:
        let snapshot = SchemaSnapshot(
          loaded.target.schema, engine: SQLiteConnection.engineVersion, lastWriter: loaded.target.lastWriter)
        console.print(try snapshot.json() + "\n")
      case .swift:
        let isFile = loaded.target.name == SQLSchemaParser.ledgerName || loaded.target.name == "main"
        let models = SwiftModels(
          loaded.target.schema, name: isFile ? nil : loaded.target.name, hints: loaded.target.hints)
        models.notes.forEach(console.warn)
        console.print(models.text)
      }
      return .done
    }
  }
}
