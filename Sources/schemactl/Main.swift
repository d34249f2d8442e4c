import SchemaKitCommands

#if Remote
  import SchemaKit
  import SchemaKitRemote
#endif

/// SchemaKit's commands for schemas in SQL, databases and snapshots; it has no models of its own.
@main
struct Schemactl: SchemaCommandLine {
  #if Remote
    static let servers: [any DatabaseServer.Type] = RemoteServers.all
  #endif
}
