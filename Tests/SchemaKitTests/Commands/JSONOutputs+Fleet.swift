import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

extension JSONOutputs {
  /// Many files in every state, with all that lies beside databases, and runs that end in every way.
  func fleetScenes() throws {
    try folder.write("CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT NOT NULL, n INTEGER);", to: "fleet.sql")
    try folder.write(
      "CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT NOT NULL, n INTEGER, later TEXT);", to: "later.sql")
    try writeProgram("exit 1", to: "stop.sh")
    try writeProgram("kill -INT $PPID", to: "interrupt.sh")
    try fleetCensusScenes()
    try fleetPlanScenes()
    try fleetRunScenes()
    try fleetEndingScenes()
  }

  private func fleetCensusScenes() throws {
    try makeFleet("many", ["a", "draft", "lossy", "null", "same", "new"])
    try folder.write("no database", to: "many/text.txt")
    try damage("many/draft2.db", like: "many/draft.db")
    for name in [".hidden.db", "empty.db", "gone.db-wal", "a.db.before-12345678.db", "old.fleet-journal"] {
      try folder.write(name == "empty.db" ? "" : name, to: "many/\(name)")
    }
    let file = folder.url("many/a.db")
    try FileManager.default.linkItem(at: file, to: folder.url("many/hard.db"))
    try FileManager.default.createSymbolicLink(at: folder.url("many/link.db"), withDestinationURL: file)
    #expect(mkfifo(folder.url("many/pipe").path, 0o600) == 0)

    try keep("fleet-census", 1, "fleet census --databases many --to fleet.sql")
    try keep("fleet-census", 1, "fleet check --databases many --to fleet.sql")
    try keep("fleet-census", 2, "fleet check --databases many/a.db --to fleet.sql")
    try keep("fleet-census", 4, "fleet check --databases many/new.db --to fleet.sql")
    try keep("fleet-census", 0, "fleet check --databases many/same.db --to fleet.sql")
    try keep("fleet-census", 0, "fleet check --databases many/new.db --to later.sql")
    try keep("fleet-census", 1, "fleet census --databases - --to fleet.sql", input: "many/a.db\nmany/nowhere.db\n")
    try locking("many/a.db") {
      try keep("fleet-census", 5, "fleet census --databases many/a.db --to fleet.sql --lock-timeout 0.1")
    }
  }

  private func fleetPlanScenes() throws {
    try keep("fleet-plan", 1, "fleet plan --databases many --to fleet.sql")
    try keep("fleet-plan", 0, "fleet plan --databases many/draft.db --to fleet.sql --allow SK102")
    try keep("fleet-plan", 0, "fleet plan --databases many/same.db --to fleet.sql")
    try keep("fleet-plan", 3, "fleet plan --databases many/a.db --to fault.sql")
    try saveFleetPlan(1, "--databases many --to fleet.sql --allow SK102:note.draft --keep", to: "many.json")
    try saveFleetPlan(0, "--databases many/a.db --to fleet.sql --strategy alter --strict-order", to: "alter.json")
    try saveFleetPlan(0, "--databases many/same.db --to fleet.sql --strategy rebuild", to: "same.json")
    try saveFleetPlan(0, "--databases many/same.db --to fleet.sql --strategy online", to: "online-fleet.json")

    let file = try TemporaryDatabase(
      "CREATE TABLE other (a); CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    let fleet = try Fleet(FleetFiles(at: [file.path]), schema: ModelSchema { PetTwo.self })
    try keep("saved-fleet-plan", text: fleet.plan().json())
  }

  /// A run that is stopped after its first wave, taken up again beside a program that locks a file, and undone.
  private func fleetRunScenes() throws {
    try makeFleet("tenants", ["a", "b", "busy", "draft", "moved", "same", "new"])
    try folder.write("no database", to: "tenants/text.txt")
    try damage("tenants/draft2.db", like: "tenants/draft.db")
    try saveFleetPlan(1, "--databases tenants --to fleet.sql", to: "tenants.json")
    try folder.database("tenants/moved.db", "CREATE TABLE extra (a)")
    let apply = "fleet apply --databases tenants --plan tenants.json --canary tenants/a.db --lock-timeout 0.1"
    try keepEvents(64, apply, last: "error", as: "fleet-event")
    try keepEvents(1, "\(apply) --yes --hook ./stop.sh", as: "fleet-event")
    try keep("fleet-run", 2, "fleet status")
    try keep("fleet-run", 2, "fleet status --plan tenants.json")
    try locking("tenants/busy.db") {
      try keepEvents(1, "\(apply) --yes", as: "fleet-event")
      try keep("fleet-run", 1, "fleet status")
    }
    try keep("fleet-run", 1, "\(apply) --yes")
    try keepEvents(1, "fleet status", as: "fleet-event")
    try keep("junit", 1, "fleet status")
    try keep("fleet-run", 0, "fleet undo --wave 1 --yes")
    try keep("fleet-run", 1, "fleet status")
  }

  private func fleetEndingScenes() throws {
    try makeFleet("ends", ["a", "b"])
    try saveFleetPlan(0, "--databases ends --to fleet.sql", to: "ends.json")
    let apply = "fleet apply --databases ends --plan ends.json --yes --canary ends/a.db"
    try keep("fleet-run", 1, "\(apply) --hook ./stop.sh --journal stopped.fleet-journal")
    try keepEvents(0, "fleet undo --journal stopped.fleet-journal --yes", as: "fleet-event")
    try keep("fleet-run", 130, "\(apply) --hook ./interrupt.sh --pause 5 --journal interrupted.fleet-journal")
    try damage("ends/a.db", like: "ends/a.db")
    try keep("fleet-run", 1, "\(apply) --journal failed.fleet-journal")
    try keep("junit", 2, "fleet status --journal interrupted.fleet-journal")
    try keep("junit", 0, "fleet undo --journal stopped.fleet-journal --yes")

    try FileManager.default.createDirectory(at: folder.url("lossy"), withIntermediateDirectories: false)
    try folder.database("lossy/a.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 2)")
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY);", to: "lossy.sql")
    let lossy = "--journal lossy.fleet-journal --yes"
    try keep("fleet-run", 0, "fleet apply --databases lossy --to lossy.sql --allow SK102 --no-backup \(lossy)")
    try keep("fleet-run", 0, "fleet undo \(lossy)")
  }

  /// Makes a folder of databases that need the changes their names tell of.
  private func makeFleet(_ name: String, _ files: [String]) throws {
    try FileManager.default.createDirectory(at: folder.url(name), withIntermediateDirectories: true)
    let values = ["draft": "'x', '1', 'y'", "lossy": "'x', '007', NULL", "null": "NULL, '1', NULL"]
    for file in files {
      let path = "\(name)/\(file).db"
      switch file {
      case "same":
        try folder.database(path, "CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT NOT NULL, n INTEGER)")
      case "new":
        try run(0, "apply \(path) --to fleet.sql --yes --create -q")
        try run(0, "apply \(path) --to later.sql --yes -q")
      default:
        try folder.database(
          path,
          """
          CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, n TEXT, draft TEXT);
          INSERT INTO note (body, n, draft) VALUES (\(values[file] ?? "'x', '1', NULL"))
          """)
      }
    }
  }

  /// Makes a database whose catalog cannot be read.
  private func damage(_ name: String, like other: String) throws {
    var bytes = try folder.bytes(other)
    bytes.replaceSubrange(100..<200, with: Data(repeating: 0xFF, count: 100))
    try bytes.write(to: folder.url(name))
  }

  private func writeProgram(_ text: String, to name: String) throws {
    try folder.write("#!/bin/sh\n\(text)\n", to: name)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url(name).path)
  }

  /// Does something while another program has a database locked.
  private func locking(_ name: String, _ body: () throws -> Void) throws {
    let other = try RawSQLite(folder.url(name).path)
    defer { other.close() }
    try other.exec("BEGIN EXCLUSIVE")
    try body()
  }

  /// Saves a plan to a file, and keeps that.
  private func saveFleetPlan(_ status: Int32, _ line: String, to name: String) throws {
    try run(status, "fleet plan \(line) --out \(name)")
    try keep("saved-fleet-plan", text: String(contentsOf: folder.url(name), encoding: .utf8))
  }
}
