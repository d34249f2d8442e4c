import Foundation
import SQLiteSchema
import Testing

@Suite("Conflicts that a merge left") struct MergeConflictTests {
  /// A file of two versions, of which the first line is common.
  private func conflict(_ ours: String, _ theirs: String, after common: String = "") -> String {
    common + "<<<<<<< HEAD\n" + ours + "\n=======\n" + theirs + "\n>>>>>>> other\n"
  }

  @Test(
    "each file that a command reads is refused with its name and the line of the conflict",
    arguments: [
      ("s.sql", ["plan", "a.db", "--to", "s.sql"]), ("s.json", ["plan", "a.db", "--to", "s.json"]),
      ("m/0001-a.sql", ["diff", "m", "t.sql"]), ("m/0001-a.after.sql", ["diff", "m", "t.sql"]),
      ("m/snapshot.json", ["diff", "m", "t.sql"]), ("schemactl.toml", ["plan", "a.db", "--to", "t.sql"]),
      ("p.json", ["apply", "a.db", "--plan", "p.json", "--yes"]),
    ])
  func refused(file: String, arguments: [String]) throws {
    let folder = try CommandFolder()
    try folder.database("a.db", "CREATE TABLE t (a)")
    try folder.write("CREATE TABLE t (a);\n", to: "t.sql")
    try FileManager.default.createDirectory(at: folder.url("m"), withIntermediateDirectories: true)
    try folder.write("CREATE TABLE t (a);\n", to: "m/0001-a.sql")
    try folder.write(conflict("CREATE TABLE t (a);", "CREATE TABLE t (b);", after: "-- a schema\n"), to: file)
    let run = try CommandRun(arguments, in: folder)
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("schemactl: \(file):2: a merge left both versions here;"), "\(run.errors)")
  }

  @Test(
    "only a whole conflict is one",
    arguments: [
      "======= a heading =======\nCREATE TABLE t (a);", "-- <<<<<<< HEAD", "<<<<<<< HEAD\n>>>>>>> b",
      "<<<<<<<<<\n=======\n>>>>>>>",
    ])
  func others(text: String) { #expect(MergeConflict.line(in: Array(text.utf8)) == nil) }

  @Test("a conflict is found with the line ends of Windows")
  func windows() {
    #expect(MergeConflict.line(in: Array("a\r\n<<<<<<< x\r\nb\r\n=======\r\nc\r\n>>>>>>> y\r\n".utf8)) == 2)
  }
}
