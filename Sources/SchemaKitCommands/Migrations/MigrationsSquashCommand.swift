import ArgumentParser
import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations
import SchemaKitReports

/// Folds old steps into one.
struct MigrationsSquashCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "squash", abstract: "Fold the steps up to one into a single step that creates their schema.",
      discussion: """
        Databases that have all of the folded steps count as having the new one; new databases get it. Bring databases that \
        have only some of them up to date first.
        """)
  }

  @Option(help: ArgumentHelp("The last step to fold; by default the last of the folder.", valueName: "step"))
  var through: String?
  @OptionGroup var folder: FolderOptions
  @Flag(help: "Leave out what the folded steps do to rows, which new databases then lack.")
  var withoutData = false
  @OptionGroup(visibility: .shared) var output: OutputOptions

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output) {
      var (read, _) = try folder.intact()
      let names = read.steps.map(\.name)
      guard let last = names.firstIndex(of: through ?? names.last ?? "") else {
        throw CommandError.usage(
          "\(folder.migrations) has no step \(through ?? ""); it has \(names.joined(separator: ", ")).")
      }
      let folded = Array(read.steps[...last])
      guard folded.count > 1 else {
        throw CommandError.usage("there is only one step up to \(names[last]); nothing can be folded.")
      }
      if !withoutData, let data = folded.first(where: { $0.before != nil || $0.after != nil }) {
        throw CommandError(
          code: .failed,
          sentence:
            "\(data.name) works on rows, which a schema cannot hold. Pass --without-data if new databases can do "
            + "without; otherwise squash up to the step before. Nothing was changed.")
      }
      let name = Migration.name(number: folded[last].number ?? last + 1, title: Migration.squashedTitle)
      guard !names.contains(name) else {
        throw CommandError(
          code: .failed,
          sentence:
            "the folded step would be called \(name), as one of those to fold is. Squash up to another step with "
            + "--through. Nothing was changed.")
      }
      let step = try Migration(
        name: name, path: "\(folder.migrations)/\(name).sql", sql: text(of: folded, name: name))
      let replay = try MigrationReplay([step])
      let difference = DiffReport(from: (name, replay.schema), to: (names[last], try MigrationReplay(folded).schema))
      guard difference.isEmpty else {
        throw CommandError(
          code: .failed, sentence: "the folded step would lead elsewhere, so nothing was changed: \(difference.text())")
      }
      try read.record([step], removing: folded)
      console.print(step.path + "\n")
      return .done
    }
  }

  private func text(of folded: [Migration], name: String) throws -> String {
    var directives = MigrationDirectives()
    directives.replaces = folded.flatMap { $0.directives.replaces + [$0.name] }
    let replay = try MigrationReplay(folded)
    let schema = replay.schema
    // A new database has no use for them; they keep the next step from doing again what its databases have had.
    for (table, hints) in try replay.hints(of: folded).tables.sorted(by: { $0.key < $1.key }) {
      for (column, hint) in hints.columns.sorted(by: { $0.key < $1.key })
      where schema.table(table)?.column(column) != nil {
        guard let conversion = hint.conversion else { continue }
        directives.conversions.append(.init(table: table, column: column, expression: conversion))
      }
    }
    let names = folded.map(\.name)
    return
      (["-- Step \(name): the schema that \(names.first ?? "") to \(names.last ?? "") lead to."] + directives.lines)
      .joined(separator: "\n") + "\n\n" + SchemaReport.sql(schema)
  }
}
