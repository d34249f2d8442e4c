/// sqlx: `1_name.sql`, or `1_name.up.sql` beside `1_name.down.sql`, in the order of the numbers.
///
/// Only the pairs are recognised, which golang-migrate has too; without them, nothing tells the folder from plain SQL.
/// See [MigrationSource](https://docs.rs/sqlx/latest/sqlx/migrate/trait.MigrationSource.html).
enum SQLxLayout: LayoutRules {
  /// The second is golang-migrate's.
  static let bookkeepingTables = ["_sqlx_migrations", "schema_migrations"]

  private static let (up, down) = (".up.sql", ".down.sql")

  static func fits(_ folder: LayoutFolder) -> Bool {
    folder.scripts.contains { ($0.hasSuffix(up) || $0.hasSuffix(down)) && version(of: $0) != nil }
  }

  static func order(of folder: LayoutFolder) throws(SchemaError) -> [String] {
    var files: [(LayoutVersion, String)] = []
    for file in folder.scripts {
      guard let version = version(of: file) else {
        throw folder.stray(file, of: .sqlx, expected: "NUMBER_NAME.sql, NUMBER_NAME.up.sql or NUMBER_NAME.down.sql")
      }
      guard file.hasSuffix(down) else {
        files.append((version, file))
        continue
      }
      let counterpart = file.dropLast(down.count) + up
      guard folder.names.contains(String(counterpart)) else {
        throw SchemaError(
          source: folder.path(of: file), problem: "undoes a migration that is missing: there is no \(counterpart)")
      }
    }
    return try folder.inVersionOrder(files)
  }

  private static func version(of file: String) -> LayoutVersion? {
    file.firstIndex(of: "_").flatMap { LayoutVersion(file[..<$0]) }
  }
}
