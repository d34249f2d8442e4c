import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// Outputs of real commands for other programs, each in the folder of the kind that it must be.
///
/// It is a class because scenes add to it one after the other.
final class JSONOutputs {
  /// Where the commands work.
  let folder: CommandFolder
  /// Where their outputs are: `plan/01.json` is to fit `plan.schema.json`.
  let outputs: CommandFolder
  private(set) var counts: [String: Int] = [:]

  /// Plays every scene.
  init() throws {
    folder = try CommandFolder()
    outputs = try CommandFolder()
    try writeSchemas()
    try planScenes()
    try profileScenes()
    try fleetScenes()
    try applyScenes()
    try historyScenes()
    try savedPlanScenes()
    try checkScenes()
    try migrationScenes()
    try findingScenes()
    try modelScenes()
    try upgradeScenes()
  }

  /// Runs a command that prints what no schema is for.
  @discardableResult
  func run(_ status: Int32, _ line: String, input: String = "") throws -> CommandRun {
    let run = try CommandRun(line.split(separator: " ").map { String($0) }, in: folder, input: input)
    #expect(run.status == status, "\(line): \(run.errors)")
    return run
  }

  /// Runs a command and keeps what it prints.
  ///
  /// - Parameters:
  ///   - kind: The name of the schema, or sarif or junit, which are forms of their own.
  ///   - status: The exit code that it must have.
  ///   - line: The command without its form, with spaces between the words.
  func keep(_ kind: String, _ status: Int32, _ line: String, input: String = "") throws {
    let form = ["sarif", "junit"].contains(kind) ? kind : "json"
    try keep(kind, text: run(status, "\(line) --format \(form)", input: input).output)
  }

  /// Runs a command and keeps each event that it tells.
  ///
  /// - Parameters:
  ///   - last: What the stream must end with.
  ///   - kind: The name of the schema.
  func keepEvents(_ status: Int32, _ line: String, last: String = "result", as kind: String = "apply-event") throws {
    let events = try run(status, "\(line) --format ndjson").output.split(separator: "\n")
    #expect(events.last?.contains("\"event\":\"\(last)\"") == true, "\(line)")
    for event in events { try keep(kind, text: String(event)) }
  }

  /// Keeps a text that a command wrote in another way.
  func keep(_ kind: String, text: String) throws {
    let number = counts[kind, default: 0] + 1
    counts[kind] = number
    try FileManager.default.createDirectory(at: outputs.url(kind), withIntermediateDirectories: true)
    try outputs.write(text, to: "\(kind)/\(number).\(kind == "junit" ? "xml" : "json")")
  }

  /// Saves a plan to a file, and keeps that.
  func save(_ line: String, to name: String) throws {
    try run(0, "\(line) --out \(name)")
    try keep("saved-plan", text: String(contentsOf: folder.url(name), encoding: .utf8))
  }
}

// MARK: - Schemas

extension JSONOutputs {
  private func writeSchemas() throws {
    try folder.database("shop.db", Self.oldShop)
    try folder.write(Self.shop, to: "shop.sql")
    try folder.write("", to: "empty.sql")
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);", to: "t.sql")
    try folder.database("same.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)")
  }

  private static let oldShop = """
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, fax TEXT);
    CREATE TABLE orders (
      id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customers (id), date TEXT, total REAL DEFAULT 0);
    CREATE TABLE old (a);
    CREATE TABLE lines (id INTEGER PRIMARY KEY, "order" INTEGER, n INTEGER);
    CREATE INDEX by_date ON orders (date);
    CREATE INDEX by_total ON orders (total);
    CREATE VIEW names AS SELECT name, fax FROM customers;
    CREATE VIEW dates AS SELECT date FROM orders;
    CREATE VIEW ids AS SELECT id FROM customers;
    CREATE TRIGGER renaming AFTER UPDATE ON customers BEGIN UPDATE orders SET total = 0 WHERE customer = new.id; END;
    CREATE TRIGGER going AFTER INSERT ON old BEGIN SELECT 1; END;
    \(virtualTable("text"))
    INSERT INTO customers VALUES (1, 'Ada', NULL), (2, 'Grace', '555-0100');
    INSERT INTO orders VALUES (1, 1, '2025-11-01', 12.5), (2, 2, '2025-11-02', 0);
    INSERT INTO old VALUES (1), (2);
    ANALYZE;
    """

  private static let shop = """
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT UNIQUE);
    CREATE TABLE orders (
      id INTEGER PRIMARY KEY, customer INTEGER NOT NULL REFERENCES customers (id),
      placed TEXT, -- schemakit: renamed from date
      total INTEGER DEFAULT 0 CHECK (total >= 0)
    );
    CREATE TABLE lines (id INTEGER PRIMARY KEY, "order" INTEGER, n INTEGER CHECK (n > 0));
    CREATE INDEX by_date ON orders (placed);
    CREATE INDEX by_total ON orders (total);
    CREATE INDEX by_customer ON orders (customer);
    CREATE VIEW names AS SELECT name, email FROM customers;
    CREATE VIEW dates AS SELECT placed FROM orders;
    CREATE VIEW ids AS SELECT id FROM customers;
    CREATE TRIGGER renaming AFTER UPDATE ON customers BEGIN UPDATE orders SET total = 0 WHERE customer = new.id; END;
    \(virtualTable("text, title"))
    """

  private static func virtualTable(_ columns: String) -> String {
    Engine.has(.fts5) ? "CREATE VIRTUAL TABLE search USING fts5 (\(columns));" : ""
  }
}
