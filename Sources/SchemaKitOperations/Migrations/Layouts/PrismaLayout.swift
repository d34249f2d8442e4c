/// Prisma: `20240131120000_name/migration.sql` beside `migration_lock.toml`, in the order of the folders' names.
///
/// See [migration histories](https://www.prisma.io/docs/orm/prisma-migrate/understanding-prisma-migrate/migration-histories).
enum PrismaLayout: LayoutRules {
  static let bookkeepingTables = ["_prisma_migrations"]

  static func fits(_ folder: LayoutFolder) -> Bool { folder.names.contains("migration_lock.toml") }

  static func order(of folder: LayoutFolder) throws(SchemaError) -> [String] {
    if let file = folder.scripts.first {
      throw folder.stray(file, of: .prisma, expected: "VERSION_NAME/migration.sql")
    }
    return folder.names.filter { !$0.hasPrefix(".") && folder.isFolder($0) }.map { "\($0)/migration.sql" }
  }
}
