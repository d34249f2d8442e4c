import Foundation
import PackagePlugin

/// `swift package schema check …`: builds the package's own tool with SchemaKit's commands, and runs it.
///
/// The tool is the executable that depends on SchemaKitCommands; where there are several, `--product NAME` chooses.
@main
struct SchemaPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    var extractor = ArgumentExtractor(arguments)
    let asked = extractor.extractOption(named: "product").first
    let tools = context.package.products(ofType: ExecutableProduct.self).filter { Self.isTool($0.mainTarget) }.map(
      \.name)
    let candidates = asked.map { name in tools.filter { $0 == name } } ?? tools
    guard let tool = candidates.first, candidates.count == 1 else {
      let problem =
        tools.isEmpty
        ? "No executable product of this package depends on SchemaKitCommands. Add one with a type that is a SchemaTool."
        : "Name one of \(tools.joined(separator: ", ")) with --product."
      Diagnostics.error(problem)
      return
    }
    let result = try packageManager.build(.product(tool), parameters: .init(configuration: .debug))
    guard result.succeeded,
      let program = result.builtArtifacts.first(where: { $0.kind == .executable && $0.url.lastPathComponent == tool })
    else {
      Diagnostics.error("\(tool) could not be built:\n\(result.logText)")
      return
    }
    let process = Process()
    process.executableURL = program.url
    process.arguments = extractor.remainingArguments
    process.currentDirectoryURL = context.package.directoryURL
    try process.run()
    process.waitUntilExit()
    // SwiftPM makes 1 of whatever is not 0; the tool itself tells more.
    if process.terminationStatus != 0 { exit(process.terminationStatus) }
  }

  private static func isTool(_ target: any Target) -> Bool {
    target.dependencies.contains { dependency in
      switch dependency {
      case .product(let product): product.name == "SchemaKitCommands"
      case .target(let target): target.name == "SchemaKitCommands"
      @unknown default: false
      }
    }
  }
}
