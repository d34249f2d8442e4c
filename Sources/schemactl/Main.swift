import SchemaKitCommands

/// SchemaKit's commands for schemas in SQL, databases and snapshots; it has no models of its own.
@main
struct Schemactl: SchemaCommandLine {}
