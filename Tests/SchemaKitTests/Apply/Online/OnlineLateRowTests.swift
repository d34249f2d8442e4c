import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Rows that are written during an online copy")
struct OnlineLateRowTests {
  @Test(
    "a row that the new schema refuses is named, also where the table had none before",
    arguments: [
      (
        "a TEXT", "a TEXT NOT NULL CHECK (coalesce(a, 1) >= 0), CHECK (b IS NULL)", "INSERT INTO t (a) VALUES (NULL)",
        HazardCode.nullsUnderNotNull
      ),
      ("a TEXT", "a INTEGER NOT NULL", "INSERT INTO t (a) VALUES (NULL)", .nullsUnderNotNull),
    ])
  func named(column: String, wanted: String, write: String, code: HazardCode) throws {
    for (rows, moment) in [
      ("", ApplyProgress.Activity.copying), ("", .comparing), ("INSERT INTO t (id, a) VALUES (1, '7');", .copying),
      ("INSERT INTO t (id, a) VALUES (1, '7');", .comparing),
    ] {
      let database = try TemporaryDatabase(
        "PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT, \(column)); \(rows)")
      let error = #expect(throws: PlanError.self) {
        var isWritten = false
        try database.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, b REAL, \(wanted));") { request in
          request.plan.policy.strategy = .online
          request.observer.onProgress = { progress in
            guard progress.step.strategy == .online, progress.activity == moment, !isWritten else { return }
            isWritten = true
            try? database.exec(write)
          }
        }
      }
      guard case .refused(_, let hazards)? = error?.reason else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(hazards.map(\.code) == [code])
    }
  }
}
