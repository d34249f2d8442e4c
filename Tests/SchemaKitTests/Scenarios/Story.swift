import Foundation

@testable import SQLiteSchema
@testable import SchemaKit

/// One folder of `Stories`: a schema before and after, rows, and what is to come of them.
///
/// `expected.txt` begins with the lines of the plan. Then `> QUERY` is followed by its rows, `! SQL` is run, and
/// `x SQL` must fail with the message on the next line.
struct Story: CustomStringConvertible, Sendable {
  let name: String
  private let folder: URL

  var description: String { name }

  /// All stories, by name.
  static let all: [Story] = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Stories")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map { Story(name: $0, folder: folder.appendingPathComponent($0)) }
  }()

  /// A file of the story; nil where it has none.
  func text(_ file: String) -> String? {
    try? String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
  }

  /// Lives through the story, and tells it in the form of `expected.txt`.
  func tell() throws -> String {
    let database = try TemporaryDatabase((text("before.sql") ?? "") + (text("rows.sql") ?? ""))
    let target = text("after.sql") ?? ""
    let plan = try database.plan(to: target)
    let report = try database.migrate(to: target)
    var lines = plan.summaryLines
    if report.outcome != .applied || report.plan != plan { lines.append("outcome: \(report.outcome)") }
    let rest = try database.plan(to: target)
    if !rest.isEmpty { lines.append("left to do: \(rest.summaryLines)") }
    let reader = try database.reopened()
    for command in (text("expected.txt") ?? "").split(separator: "\n") {
      let sql = String(command.dropFirst(2))
      switch command.prefix(2) {
      case "> ":
        lines.append(String(command))
        lines += try reader.rows(sql).map { row in row.map(\.description).joined(separator: " | ") }
      case "! ":
        lines.append(String(command))
        try reader.exec(sql)
      case "x ":
        lines.append(String(command))
        do {
          try reader.exec(sql)
          lines.append("no error")
        } catch let error as RawSQLiteError {
          lines.append(error.message)
        }
      default: continue
      }
    }
    lines += try reader.rows("PRAGMA integrity_check").compactMap { $0[0] == .text("ok") ? nil : "\($0)" }
    return lines.joined(separator: "\n") + "\n"
  }
}
