import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Fleets on a disk that takes no more")
struct FleetDiskTests {
  /// Runs the plan of a scene by a command that may make no file larger than some KB.
  private func apply(in scene: FleetScene, limit: Int? = nil) throws -> CommandRun {
    let limiting = limit.map { ["/bin/bash", "-c", "ulimit -f \($0); exec \"$@\"", "bash"] } ?? []
    return try CommandRun(
      ["fleet", "apply", "--databases", "tenants", "--plan", "plan.json", "--yes", "--max-failures", "1"],
      in: scene.folder, prefix: limiting)
  }

  private func plan(in scene: FleetScene) throws {
    let run = try scene.folder.run(
      "fleet", "plan", "--databases", "tenants", "--to", "schema.sql", "--out", "plan.json")
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test("a file that finds no room is as it was and told, and the same command changes it once there is room")
  func roomForAllButOne() throws {
    let scene = try FleetScene(6)
    try scene.folder.database(
      scene.name(4),
      """
      WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
      INSERT INTO customers SELECT i, printf('%0100d', i), 'a@example.org' FROM n;
      """)
    try plan(in: scene)
    let before = try scene.folder.rows(of: scene.name(4), "SELECT * FROM customers")
    let run = try apply(in: scene, limit: scene.folder.bytes(scene.name(4)).count / 1024)
    #expect(run.status == 1)
    #expect(run.output.contains("t04.db"), "\(run.output)")
    #expect((run.output + run.errors).contains("a limit of file sizes (ulimit -f)"), "\(run.output)")
    #expect(try scene.done(of: 6) == [1, 2, 3, 5, 6])
    #expect(!scene.folder.exists(scene.name(4) + "-journal"))
    #expect(try scene.folder.rows(of: scene.name(4), "SELECT * FROM customers") == before)
    let again = try apply(in: scene)
    #expect(again.status == 0, "\(again.errors)")
    for number in 1...6 { #expect(try scene.changes(number) == 1) }
  }

  @Test("without room for the run's journal no file is changed")
  func noRoomForTheJournal() throws {
    let scene = try FleetScene(6)
    try plan(in: scene)
    let run = try apply(in: scene, limit: 4)
    #expect(run.status == 1)
    #expect(run.errors.contains("schemactl.fleet-journal"), "\(run.errors)")
    #expect(try scene.done(of: 6).isEmpty)
    let again = try apply(in: scene)
    #expect(again.status == 0, "\(again.errors)")
    for number in 1...6 { #expect(try scene.changes(number) == 1) }
  }
}
