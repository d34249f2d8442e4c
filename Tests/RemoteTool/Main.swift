import SchemaKit
import SchemaKitCommands
import SchemaKitRemote

/// The commands as they are with the trait Remote, which the tests are not built with.
@main
struct RemoteTool: SchemaCommandLine {
  static let servers: [any DatabaseServer.Type] = RemoteServers.all
}
