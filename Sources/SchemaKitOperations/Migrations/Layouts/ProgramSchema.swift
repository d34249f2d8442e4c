import SchemaKitFoundation

/// Migrations and schemas that are programs, in Python or Ruby, and that only their tools can run: those of sqlite-utils,
/// Alembic, Django and Rails.
///
/// See [sqlite-utils migrate](https://sqlite-utils.datasette.io/en/stable/migrations.html).
enum ProgramSchema {
  /// Returns the error that says how to get the schema of such a file; nil for any other file.
  static func error(at path: String, _ data: Data) -> SchemaError? {
    if path.hasSuffix(".rb") {
      return SchemaError(
        source: path,
        problem:
          "is a program in Ruby, which is run and not read. Have Rails write SQL with config.active_record.schema_format "
          + "= :sql and bin/rails db:schema:dump, and name db/structure.sql; or name a database that it made")
    }
    guard path.hasSuffix(".py") else { return nil }
    let text = String(decoding: data, as: UTF8.self)
    let isOfUtils = ["sqlite_utils", "sqlite_migrate"].contains { text.contains($0) } && text.contains("Migrations")
    guard isOfUtils else {
      return SchemaError(
        source: path,
        problem: "is a program in Python, which is run and not read. Have its tool make a new database, and name that")
    }
    return SchemaError(
      source: path,
      problem: "holds migrations of sqlite-utils, which are run and not read. Run them on a new file, and name that: "
        + "sqlite-utils migrate new.db \(path), then new.db as the schema, with --ignore _sqlite_migrations")
  }

  /// Returns the error for a folder whose migrations are such files; nil for any other folder.
  static func error(in folder: LayoutFolder) -> SchemaError? {
    guard folder.scripts.isEmpty else { return nil }
    let programs = folder.names.filter { $0.hasSuffix(".py") && $0 != "__init__.py" || $0.hasSuffix(".rb") }
    guard let name = programs.first(where: { $0 == "migrations.py" }) ?? programs.first else { return nil }
    let path = folder.path(of: name)
    return FileManager.default.contents(atPath: path).flatMap { error(at: path, $0) }
  }
}
