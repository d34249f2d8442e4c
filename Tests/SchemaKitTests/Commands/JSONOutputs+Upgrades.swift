import Foundation

extension JSONOutputs {
  /// Cases that pass and fail, with each kind of place that a finding has.
  func upgradeScenes() throws {
    let files = [
      "upgrades/1.0/before.sql":
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, gone TEXT); INSERT INTO t VALUES (1, 'x', 'y');",
      "upgrades/1.0/expect.sql": "SELECT id FROM t;\n-- '1'\n",
      "upgrades/2.0/before.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY);",
      "upgrades/3.0/before.sql": "CREATE TABLE t (a",
    ]
    for (path, text) in files { try folder.write(text, to: path) }
    for kind in ["upgrade-test", "junit"] {
      try keep(kind, 2, "test upgrades --to t.sql")
      try keep(kind, 2, "test run upgrades --to t.sql --allow destructive --seed 5")
      try keep(kind, 0, "test upgrades/2.0 --to t.sql")
    }
  }
}
