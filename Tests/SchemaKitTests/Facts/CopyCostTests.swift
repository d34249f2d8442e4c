import Foundation
import Testing

@testable import SchemaKit

// P59: what a copy takes is said beforehand, and where there is no room for it nothing is begun.
@Suite("Facts: how much is copied")
struct CopyCostTests {
  static let shapes = [
    (
      "rows that are alike", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INT", ") ",
      "i, printf('%40d', i), i"
    ),
    (
      "rows that have become longer", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INT", ")",
      "i, printf(CASE WHEN i > 300 THEN '%400d' ELSE '%d' END, i), i"
    ),
    (
      "rows that have become shorter", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INT", ")",
      "i, printf(CASE WHEN i > 300 THEN '%20d' ELSE '%2000d' END, i), i"
    ),
    (
      "rows without a key of their own", "CREATE TABLE t (rowid TEXT, a TEXT, b INT", ")",
      "i, printf(CASE WHEN i > 300 THEN '%100d' ELSE '%d' END, i), i"
    ),
    (
      "rows without numbers", "CREATE TABLE t (id TEXT PRIMARY KEY, a TEXT, b INT",
      ") WITHOUT ROWID",
      "'k' || i, printf('%60d', i), i"
    ),
    (
      "rows whose numbers lie far apart", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INT",
      ")",
      "CASE i WHEN 1 THEN 9223372036854775807 WHEN 2 THEN -9223372036854775807 - 1 ELSE i END, printf('%90d', i), i"
    ),
  ]

  private func scene(_ index: Int) -> RowCase {
    let (name, head, tail, values) = Self.shapes[index]
    return RowCase(
      name: name, before: head + tail + ";", fill: ["INSERT INTO t SELECT \(values) FROM n"],
      after: head.replacing("a TEXT", with: "a TEXT COLLATE NOCASE") + tail + ";",
      code: .lackingSpace, object: "t", offending: ""
    )
  }

  @Test(
    "rows are counted, and their size is told within a factor of two", arguments: shapes.indices,
    RowCase.counts)
  func size(index: Int, rows: Int) throws {
    let scene = scene(index)
    let file = try scene.file(rows: rows, journalMode: "delete")
    let step = try #require(try file.plan(to: scene.after).steps.first { $0.strategy == .rebuild })
    #expect(step.rows == rows)
    let bytes = try #require(step.bytes)
    // All but the first page, which is the schema's.
    let size = try file.bytes.count - 4096
    if rows > 1 {
      #expect(bytes > size / 2 && bytes < size * 2, "\(bytes) bytes in words, \(size) in the file")
    } else {
      #expect(bytes <= 4096)
      #expect((bytes > 0) == (rows > 0))
    }
  }

  @Test(
    "a copy is begun where there is room for it twice, and refused before a write where there is less",
    arguments: RowCase.counts)
  func room(rows: Int) throws {
    let scene = scene(1)
    let file = try scene.file(rows: rows, journalMode: "wal")
    let before = try file.query("SELECT * FROM t ORDER BY id")
    let bytes = try file.bytes
    let plan = try file.plan(to: scene.after)
    let needed = Int64(plan.steps.compactMap(\.bytes).reduce(0, +) * 2)
    if rows > 0 {
      let error = #expect(throws: PlanError.self) {
        try file.migrate(to: scene.after, allowing: .everything) {
          $0.freeSpace = { _ in needed - 1 }
        }
      }
      guard case .refused(_, let hazards)? = error?.reason else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(hazards.map(\.code) == [.lackingSpace] && hazards.map(\.hazardClass) == [.blocked])
      #expect(try file.bytes == bytes)
    }
    var progress: [String] = []
    try file.migrate(to: scene.after) {
      $0.freeSpace = { _ in needed }
      $0.onProgress = {
        if $0.activity == .step {
          progress.append("\($0.stepIndex)/\($0.stepCount) \($0.step.object) \($0.step.rows ?? -1)")
        }
      }
    }
    #expect(progress == ["0/1 t \(rows)"])
    #expect(try file.query("SELECT * FROM t ORDER BY id") == before)
    try file.expectSettled(at: scene.after)
  }
}
