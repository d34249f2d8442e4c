@testable import SQLiteSchema
@testable import SchemaKit

extension JSONOutputs {
  /// Plans for other engines, with each strategy for foreign keys that stay on.
  func profileScenes() throws {
    try scene("swapped", actions: "ON DELETE CASCADE", note: "note TEXT COLLATE NOCASE")
    try scene("settled", actions: "")
    try scene("moved", actions: "ON DELETE CASCADE", key: " CHECK (id < 100)")
    try scene("closed", actions: "ON DELETE CASCADE ON UPDATE CASCADE")
    try scene("freed", actions: "ON DELETE SET NULL ON UPDATE CASCADE", grandchildren: 50)
    let profiles = [
      "swapped": "in-transaction", "settled": "d1", "moved": "rqlite", "closed": "d1", "freed": "libsql",
    ]
    for (name, profile) in profiles.sorted(by: { $0.key < $1.key }) {
      try keep("plan", 2, "plan \(name).db --to \(name).sql --profile \(profile) --exit-code")
    }
    try keep("plan", 2, "plan moved.db --to moved.sql --profile dqlite --exit-code")
    for profile in EngineProfile.Name.allCases {
      try save("plan moved.db --to moved.sql --profile \(profile.rawValue)", to: "moved.json")
    }
  }

  /// Makes a table with children, and a schema in which it changes.
  private func scene(
    _ name: String, actions: String, key: String = "", note: String = "note TEXT CHECK (note <> '')",
    grandchildren: Int = 0
  ) throws {
    func schema(_ note: String) -> String {
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY\(key), \(note));
      CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p (id) \(actions));
      CREATE TABLE g (id INTEGER PRIMARY KEY, c INTEGER REFERENCES c (id));
      """
    }
    let rows = (0..<grandchildren).map { "INSERT INTO g VALUES (\($0), 1);" }.joined()
    try folder.database(
      "\(name).db", schema("note TEXT") + "INSERT INTO p VALUES (1, 'x'); INSERT INTO c VALUES (1, 1);" + rows)
    try folder.write(schema(note), to: "\(name).sql")
  }
}
