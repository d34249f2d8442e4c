import ArgumentParser
import SchemaKit
import SchemaKitOperations
import SchemaKitReports

/// Compares two schemas.
struct DiffCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "diff", abstract: "Compare any two schemas by their objects' names.",
      discussion: "Exits with 0 when they are equal, 2 when they differ.")
  }

  @Argument(help: ArgumentHelp("A schema: SQL, database, snapshot, folder of migrations, or -.", valueName: "from"))
  var from: String
  @Argument(
    help: ArgumentHelp(
      "The other schema, or several files of SQL that are one. When this is missing, a program with models takes them, and "
        + "others the setting schema.",
      valueName: "to"))
  var to: [String] = []
  @Option(help: MigrationLayout.help)
  var layout: MigrationLayout?
  @Flag(
    name: .customLong("strict-order"), inversion: .prefixedNo, help: "Treat a different column order as a change.")
  var givenStrictOrder: Bool?
  @OptionGroup var program: RunningOptions
  @Option(help: "The format of the answer: text or json.")
  var format = TextFormat.text
  @OptionGroup(visibility: .shared) var output: OutputOptions

  func validate() throws {
    if from == "-", to.contains("-") {
      throw ValidationError("Only one of the two schemas can come from standard input.")
    }
  }

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output) {
      let loading = TargetLoading(console: console, output: output)
      // The option is for the folder of another tool, whichever of the two that is.
      let isForOne = TargetLoading.canBeLaidOut(from) || to.contains(where: TargetLoading.canBeLaidOut)
      func layout(of places: [String]) -> MigrationLayout? {
        isForOne && !places.contains(where: TargetLoading.canBeLaidOut) ? nil : self.layout
      }
      let old = try loading.schema(at: [from], models: nil, layout: layout(of: [from]))
      let new = try loading.schema(at: to, models: Tool.models, layout: layout(of: to))
      func isIgnored(_ name: SQLName) -> Bool { old.target.ignores(name) || new.target.ignores(name) }
      var report = DiffReport(
        from: (old.name, old.target.schema.removing(isIgnored)), to: (new.name, new.target.schema.removing(isIgnored)),
        isOrderStrict: givenStrictOrder ?? false)
      if let running = program.running {
        let known = try program.schema(loading) ?? old.target.schema
        report.running = try RunningProgram(
          named: running == RunningOptions.own ? old.name : running, known.removing(isIgnored),
          meeting: new.target.schema.removing(isIgnored), hints: new.target.hints)
      }
      switch format {
      case .text: if !output.quiet { console.print(report.text(style: console.style)) }
      case .json: console.print(report.json())
      }
      return report.isEmpty ? .done : .pending
    }
  }
}
