import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations
@testable import SchemaKitReports

/// Models written from every ``ModelSource``, compiled together in one run of the compiler, and what they make of files.
///
/// The program plans the way from each schema's file to its models, and writes down what the models declare.
final class CompiledModels: Sendable {
  /// How many steps a plan from the file to the models has, by the name of the source.
  let stepCounts: [String: Int]
  /// The schemas that the models were written from, and those that they make.
  let schemas: [String: (original: DatabaseSchema, made: DatabaseSchema)]

  /// Compiled once for all tests that ask.
  static let shared = Result { try CompiledModels() }

  /// What the compiler or the program said.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private init() throws {
    let folder = try CommandFolder()
    var names: [String] = []
    var sources: [String: TemporaryDatabase] = [:]
    var program = "import Foundation\nimport SchemaKit\n"
    for source in ModelSource.allCases where source.isExpected {
      let file = try TemporaryDatabase(source.sql())
      let text = SwiftModels(try Self.schema(of: file.path)).text
      // Each in a type of its own, for they may have models of the same name.
      let models = text.split(separator: "import SchemaKit\n", maxSplits: 1).last ?? ""
      program += "enum \(source) {\n\(models)}\n"
      names.append("\(source)")
      sources["\(source)"] = file
    }
    try folder.write(program, to: "Models.swift")
    let rows = names.map { "  (\"\($0)\", \($0).Models.schema),\n" }.joined()
    try folder.write(Self.program.replacing("SCHEMAS", with: rows), to: "main.swift")
    try Self.compile(in: folder)

    let run = try CommandRun(
      names.compactMap { sources[$0]?.path }, in: folder, program: folder.url("models").path)
    var counts: [String: Int] = [:]
    for line in run.output.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2, let count = Int(words[1]) else { throw Failure(description: run.output + run.errors) }
      counts[String(words[0])] = count
    }
    stepCounts = counts
    schemas = try sources.reduce(into: [:]) { schemas, source in
      let made = try String(contentsOf: folder.url(source.key + ".sql"), encoding: .utf8)
      schemas[source.key] = (
        try Self.schema(of: source.value.path),
        try SchemaSource.sql(made, source: source.key).load().target.schema
      )
    }
  }

  private static let program = #"""
    import Foundation
    import SchemaKit

    let schemas: [(String, ModelSchema)] = [
    SCHEMAS]
    for (argument, (name, schema)) in zip(CommandLine.arguments.dropFirst(), schemas) {
      do {
        print(name, try SchemaInspector(at: argument).plan(to: schema).steps.count)
        let statements = try schema.declaration().statements.map(\.sql).joined(separator: "\n;\n")
        try statements.write(toFile: name + ".sql", atomically: false, encoding: .utf8)
      } catch {
        print(name, error)
      }
    }

    """#

  /// What a file's catalog declares.
  static func schema(of path: String) throws -> DatabaseSchema {
    try SchemaReader.read(try SQLiteConnection.openedForInspection(path: path))
  }

  /// Compiles the program against the modules that the tests were built with.
  private static func compile(in folder: CommandFolder) throws {
    let products = CommandRun.products
    let list = try String(
      contentsOf: products.appendingPathComponent("schemactl.product/Objects.LinkFileList"), encoding: .utf8)
    let objects = list.split(separator: "\n").filter { !$0.contains("/schemactl.build/") }
    try folder.write(objects.joined(separator: "\n") + "\n", to: "objects")
    let features = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
    let run = try CommandRun(
      ["swiftc", "-swift-version", "6", "-warnings-as-errors", "-lstdc++"]
        + features.flatMap { ["-enable-upcoming-feature", $0] }
        + [
          "-I", products.appendingPathComponent("Modules").path,
          "-I", SourceTree.root.appendingPathComponent("Sources/CSQLite").path,
          "-I", SourceTree.root.appendingPathComponent("Sources/LinkSQLite").path,
          "Models.swift", "main.swift", "@objects", "-lsqlite3", "-o", "models",
        ], in: folder, program: "/usr/bin/env")
    guard run.status == 0 else { throw Failure(description: run.errors + run.output) }
  }
}
