import Foundation
import Testing

/// Up to 3.41 SQLite removes quotes from the name of a child table when it compiles RESTRICT. A name that begins with a quote
/// sends it beyond the end of the name, so everything here runs in a process of its own.
@Suite("Names on which SQLite itself crashes")
struct CrashingNameTests {
  private static let names = ["\"x", "'x", "`x", "[x", "\"", "\"x\"\""]
  private static let isMended = Engine.version.compare("3.42.0", options: .numeric) != .orderedAscending

  private static func sql(_ name: String, action: String, extra: String = "") -> String {
    """
    CREATE TABLE p (id INTEGER PRIMARY KEY);
    CREATE TABLE "\(name.replacing("\"", with: "\"\""))" (id INTEGER PRIMARY KEY, p REFERENCES p \(action)\(extra));
    """
  }

  @Test(
    "a file with such a table is refused before SQLite compiles anything, or works", arguments: names,
    ["ON DELETE RESTRICT", "ON UPDATE RESTRICT"])
  func file(name: String, action: String) throws {
    let folder = try CommandFolder()
    try folder.database("x.db", Self.sql(name, action: action))
    let bytes = try folder.bytes("x.db")
    try folder.write(Self.sql(name, action: action, extra: ", more INT"), to: "s.sql")
    for arguments in [
      ["plan", "x.db", "--to", "s.sql"], ["apply", "x.db", "--to", "s.sql", "--yes"], ["lint", "s.sql"],
      ["plan", "new.db", "--to", "s.sql"], ["check", "x.db", "--to", "s.sql"], ["doctor", "x.db"],
    ] {
      let run = try CommandRun(arguments, in: folder)
      if Self.isMended {
        #expect([0, 2].contains(run.status), "\(arguments): \(run.errors)")
      } else {
        let words = run.errors + run.output
        #expect(run.status == (arguments[0] == "doctor" ? 2 : 1), "\(arguments): \(run.status) \(words)")
        #expect(words.contains("SQLite \(Engine.version) crashes") && words.contains("3.42"), "\(words)")
      }
    }
    if !Self.isMended { #expect(try folder.bytes("x.db") == bytes) }
  }

  @Test("without RESTRICT the names are as good as any", arguments: names)
  func harmless(name: String) throws {
    let folder = try CommandFolder()
    try folder.database("x.db", Self.sql(name, action: "ON DELETE CASCADE"))
    try folder.write(Self.sql(name, action: "ON DELETE CASCADE", extra: ", more INT"), to: "s.sql")
    #expect(try folder.run("apply", "x.db", "--to", "s.sql", "--yes").status == 0)
  }

  @Test(
    "a name that only ends with a quote, or has one inside, is as good as any", arguments: ["x\"", "a'b", "x[", "x]"])
  func quotesElsewhere(name: String) throws {
    let folder = try CommandFolder()
    try folder.database("x.db", Self.sql(name, action: "ON DELETE RESTRICT"))
    try folder.write(Self.sql(name, action: "ON DELETE RESTRICT", extra: ", more INT"), to: "s.sql")
    let run = try folder.run("apply", "x.db", "--to", "s.sql", "--yes")
    #expect(run.status == 0, "\(run.errors)")
  }
}
