import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Hazard SK219: foreign key actions that change")
struct ReferenceActionNoteTests {
  private static let parent = "CREATE TABLE p (id INTEGER PRIMARY KEY, k INT UNIQUE);"

  /// A file with a child of each of two parents, and the notes of its plan.
  private func noted(from old: String, to new: String) throws -> (TemporaryDatabase, [String]) {
    let file = try TemporaryDatabase(
      Self.parent + "CREATE TABLE c (id INTEGER PRIMARY KEY, \(old));"
        + "INSERT INTO p VALUES (1, 10), (2, 20); INSERT INTO c (id, p) VALUES (1, 1), (2, 2)")
    let target = Self.parent + "CREATE TABLE c (id INTEGER PRIMARY KEY, \(new))"
    let hazards = try file.plan(to: target).hazards.filter { $0.code == .otherReferenceAction }
    #expect(hazards.allSatisfy { $0.isNote && $0.object == "c.p" })
    try file.migrate(to: target)
    return (file, hazards.map(\.message))
  }

  /// The actions before and afterwards, the note, and the rows of the child after a DELETE of a parent; nil where it fails.
  static let deletes: [(String, String, String, String?)] = [
    ("", "ON DELETE CASCADE", "From now on a DELETE from p deletes the rows of c that refer to it.", "2:2"),
    (
      "ON DELETE CASCADE", "ON DELETE SET NULL",
      "From now on a DELETE from p sets c.p to NULL in the rows that refer to it.",
      "1:NULL,2:2"
    ),
    (
      "ON DELETE SET NULL", "ON DELETE SET DEFAULT",
      "From now on a DELETE from p sets c.p to the default in the rows that refer to it.", "1:2,2:2"
    ),
    (
      "ON DELETE CASCADE", "ON DELETE RESTRICT",
      "From now on a DELETE from p leaves the rows of c that refer to it as they are: it fails while there are any.",
      nil
    ),
    (
      "ON DELETE SET NULL", "",
      "From now on a DELETE from p leaves the rows of c that refer to it as they are: it fails while there are any.",
      nil
    ),
  ]

  @Test("a DELETE of a parent that does something else is noted, and does so", arguments: deletes)
  func deleted(old: String, new: String, note: String, rows: String?) throws {
    let (file, notes) = try noted(
      from: "p INT DEFAULT 2 REFERENCES p \(old)", to: "p INT DEFAULT 2 REFERENCES p \(new)")
    #expect(notes == [note])
    let delete = "PRAGMA foreign_keys = ON; DELETE FROM p WHERE id = 1"
    if rows == nil { #expect(throws: (any Error).self) { try file.exec(delete) } } else { try file.exec(delete) }
    let left = try file.value("SELECT group_concat(id || ':' || coalesce(p, 'NULL')) FROM c")
    #expect(left == .text(rows ?? "1:1,2:2"))
  }

  @Test("an UPDATE of the parent's key is noted for itself")
  func updates() throws {
    let (file, notes) = try noted(
      from: "p INT REFERENCES p ON DELETE CASCADE", to: "p INT REFERENCES p ON DELETE CASCADE ON UPDATE CASCADE")
    #expect(notes == ["From now on an UPDATE of the key of p changes c.p in the rows that refer to it."])
    try file.exec("PRAGMA foreign_keys = ON; UPDATE p SET id = 5 WHERE id = 1")
    #expect(try file.value("SELECT p FROM c WHERE id = 1") == .int(5))
  }

  @Test("a key that goes with its action leaves rows without a parent")
  func dropped() throws {
    let (file, notes) = try noted(from: "p INT REFERENCES p ON DELETE CASCADE", to: "p INT")
    #expect(
      notes == [
        "From now on a DELETE from p leaves the rows of c that refer to it as they are: they have no parent then."
      ])
    try file.exec("PRAGMA foreign_keys = ON; DELETE FROM p WHERE id = 1")
    #expect(try file.value("SELECT count(*) FROM c") == .int(2))
  }

  static let quiet = [
    ("p INT REFERENCES p", "p INT REFERENCES p ON DELETE RESTRICT ON UPDATE NO ACTION"),
    ("p INT", "p INT REFERENCES p"), ("p INT REFERENCES p", "p INT"),
    ("p INT REFERENCES p ON DELETE CASCADE", "p INTEGER REFERENCES p (id) ON DELETE CASCADE"),
    ("p INT", "p INT, q INT REFERENCES p ON DELETE CASCADE"),
    ("p INT, q INT REFERENCES p ON DELETE CASCADE", "p INT /* schemakit: removed q */"),
  ]

  @Test("what a write of parents does as before is not noted", arguments: quiet)
  func unnoted(old: String, new: String) throws {
    let (_, notes) = try noted(from: old, to: new)
    #expect(notes.isEmpty)
  }

  @Test("renamed tables and columns keep their actions, and a note has the new names")
  func renamed() throws {
    let file = try TemporaryDatabase(
      Self.parent
        + "CREATE TABLE c (id INTEGER PRIMARY KEY, p INT REFERENCES p ON DELETE CASCADE, k INT REFERENCES p (k))")
    let target = """
      CREATE TABLE parent ( -- schemakit: renamed from p
        id INTEGER PRIMARY KEY, k INT UNIQUE);
      CREATE TABLE c (id INTEGER PRIMARY KEY,
        parent INT REFERENCES parent ON DELETE CASCADE, -- schemakit: renamed from p
        k INT REFERENCES parent (k) ON DELETE SET NULL)
      """
    let notes = try file.plan(to: target).hazards.filter { $0.code == .otherReferenceAction }
    #expect(
      notes.map(\.message) == ["From now on a DELETE from parent sets c.k to NULL in the rows that refer to it."])
  }
}
