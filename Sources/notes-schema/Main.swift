import NotesSample
import SchemaKit
import SchemaKitCommands

/// SchemaKit's commands for the models of the sample.
@main
struct NotesSchema: SchemaTool {
  static let schema = NotesModels.schema
}
