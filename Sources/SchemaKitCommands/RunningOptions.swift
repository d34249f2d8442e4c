import ArgumentParser
import SchemaKit
import SchemaKitOperations

/// The program that uses a database already, and may go on running.
struct RunningOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Note what fails in a program of this schema, or file.", valueName: "schema"),
    completion: .file())
  var running: String?

  /// The word for the schema that is there before the change.
  static let own = "file"

  /// The schema of the program; nil if it is that of the database.
  func schema(_ loading: TargetLoading) throws -> DatabaseSchema? {
    guard let running, running != Self.own else { return nil }
    return try loading.schema(at: [running], models: nil).target.schema
  }

  /// The notes about the program after a plan; nil if nobody asked.
  func notes(
    after survey: Survey, of access: DatabaseAccess, to target: TargetSchema, _ request: ChangeRequest,
    _ loading: TargetLoading
  ) throws -> RunningProgram? {
    guard let running else { return nil }
    let schema = try schema(loading)
    let name = running == Self.own ? access.name : running
    let outcome = try Change(over: access.opened(), to: target, request).outcome(of: survey.examination)
    return try RunningProgram(named: name, schema, after: outcome)
  }
}
