import Testing

@Suite("schemactl on a damaged history")
struct DamagedHistoryCommandTests {
  @Test(
    "every command names the table and the way out, exits with 1, and changes nothing",
    arguments: [
      "ALTER TABLE _schemakit_history RENAME COLUMN summary TO words",
      "ALTER TABLE _schemakit_history RENAME TO _schemakit_h; CREATE VIEW _schemakit_history AS SELECT 1 AS id",
      "DROP TABLE _schemakit_history",
    ])
  func commands(damage: String) throws {
    let folder = try CommandFolder()
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY);", to: "one.sql")
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, v);", to: "two.sql")
    #expect(try folder.run("apply", "a.db", "--to", "one.sql", "--yes", "--create").status == 0)
    try folder.database("a.db", damage)
    let before = try folder.bytes("a.db")
    for command in [
      ["history", "a.db"], ["history", "a.db", "--discard-kept", "--yes"], ["plan", "a.db", "--to", "two.sql"],
      ["apply", "a.db", "--to", "two.sql", "--yes"], ["undo", "a.db", "--yes"], ["check", "a.db", "--to", "two.sql"],
    ] {
      let run = try CommandRun(command, in: folder)
      #expect(run.status == 1, "\(command)")
      #expect(run.errors.contains("table _schemakit_history is not what SchemaKit made: "), "\(command)")
      #expect(run.errors.contains("Nothing was changed. Restore the file from a backup, or drop "), "\(command)")
      #expect(run.output.isEmpty, "\(command)")
      #expect(try folder.bytes("a.db") == before, "\(command)")
    }
  }
}
