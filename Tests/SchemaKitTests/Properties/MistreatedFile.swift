import Foundation

/// A file that was mistreated, a change of its schema, and the way in which that is carried out.
///
/// It is all values: what is left out of a list is left out of the file, so that a failure can be made small.
struct MistreatedFile {
  enum Way: String, CaseIterable {
    case auto, alter, rebuild, online
    /// Inside an open transaction of somebody else, whose connection protects the catalog.
    case transaction
    /// By the script for an engine that protects the catalog.
    case script
  }

  struct Row {
    let table: Int
    var values: [Int: RawValue]
    var rowID: Int64?
  }

  let seed: Int
  var declared: MistreatedSchema
  var rows: [Row] = []
  var mistreatments: [Mistreatment] = []
  var changes: [MistreatedChange] = []
  var way = Way.auto
  var keepsDropped = false
  /// Undone afterwards.
  var isUndone = false

  /// The schema that the rows are written under.
  var written: MistreatedSchema { mistreatments.reduce(into: declared) { $1.apply(to: &$0) } }

  var target: MistreatedSchema { changes.reduce(into: declared) { $1.apply(to: &$0) } }

  /// Renames as `--rename` takes them.
  var renames: [String] {
    let (old, new) = (declared, target)
    var result: [String] = []
    for table in new.tables {
      guard let before = old.table(table.id) else { continue }
      if before.name != table.name { result.append("\(before.name)=\(table.name)") }
      for column in table.columns {
        guard let name = before.columns.first(where: { $0.id == column.id })?.name, name != column.name else {
          continue
        }
        result.append("\(before.name).\(name)=\(table.name).\(column.name)")
      }
    }
    return result
  }

  /// What is consented to, as `--allow` takes it: the losses that the changes themselves ask for.
  var allowances: [(code: String, table: String, column: String?)] {
    let new = target
    return changes.compactMap { change in
      switch change {
      case .retype(let column, _, isConsented: true): allowance("SK103", column, new.names[column], in: new)
      case .dropColumn(let column, isConsented: true): allowance("SK102", column, declared.names[column], in: new)
      case .dropTable(let table, isConsented: true): declared.table(table).map { ("SK101", $0.name, nil) }
      case .rowID(let table, _): new.table(table).map { ("SK205", $0.name, nil) }
      default: nil
      }
    }
  }

  /// Dropped columns too are named with the new name of their table.
  private func allowance(
    _ code: String, _ column: Int, _ name: String?, in schema: MistreatedSchema
  ) -> (code: String, table: String, column: String?)? {
    let table = declared.place(of: column).flatMap { schema.table(declared.tables[$0.table].id) }
    return (table ?? schema.place(of: column).map { schema.tables[$0.table] }).map { (code, $0.name, name) }
  }

  /// Makes the file, and returns the statements that did it, by connection.
  @discardableResult
  func build(_ path: String) throws -> [[String]] {
    var phases = [try write(path)]
    let edits = edits
    if !edits.isEmpty {
      let phase =
        ["PRAGMA writable_schema = ON"] + edits + ["PRAGMA schema_version = 1000", "PRAGMA writable_schema = OFF"]
      try Self.run(phase, path)
      phases.append(phase)
    }
    if way == .online {
      phases.append(["PRAGMA journal_mode = WAL"])
      try Self.run(phases[phases.count - 1], path)
    }
    let reader = try RawSQLite(path)
    defer { reader.close() }
    for table in declared.tables { try reader.compiles("SELECT * FROM \(table.name)") }
    return phases
  }

  /// Writes the rows; what SQLite refuses of them is left out.
  func write(_ path: String) throws -> [String] {
    let file = try RawSQLite(path)
    defer { file.close() }
    try file.exec("PRAGMA synchronous = OFF")
    var done: [String] = []
    func exec(_ sql: String) throws {
      try file.exec(sql)
      done.append(sql)
    }
    if mistreatments.contains(.ignoredChecks) { try exec("PRAGMA ignore_check_constraints = ON") }
    try exec("BEGIN")
    let schema = written
    for table in schema.tables {
      let mine = rows.filter { $0.table == table.id }
      let late = table.hasLateColumn ? table.columns.last : nil
      try exec(schema.create(table, isBeforeLateColumn: true))
      let isLate = { (index: MistreatedSchema.Index) in late.map { table.inputs(of: index).contains($0.id) } ?? false }
      for index in table.indexes where !isLate(index) { try exec(schema.create(index, on: table)) }
      for sql in schema.searchStatements(of: table) { try exec(sql) }
      for row in mine.prefix(late == nil ? mine.count : mine.count / 2) {
        _ = try? exec(schema.insert(row, into: table, without: late?.id))
      }
      guard let late else { continue }
      try exec("ALTER TABLE \(table.name) ADD COLUMN \(schema.definition(of: late, in: table))")
      for index in table.indexes where isLate(index) { try exec(schema.create(index, on: table)) }
      for row in mine.suffix(mine.count - mine.count / 2) {
        _ = try? exec(schema.insert(row, into: table, without: nil))
      }
    }
    try exec("COMMIT")
    return done
  }

  /// Puts the declared text of each object into the catalog where it was written under another.
  private var edits: [String] {
    let written = written
    var edits: [String] = []
    func edit(_ name: String, from old: String, to new: String) {
      if old == new { return }
      edits.append("UPDATE sqlite_master SET sql = \(RawValue.text(new)) WHERE name = \(RawValue.text(name))")
    }
    for table in declared.tables {
      guard let before = written.table(table.id) else { continue }
      edit(table.name, from: written.create(before), to: declared.create(table))
      for (old, new) in zip(before.indexes, table.indexes) {
        edit(new.name, from: written.create(old, on: before), to: declared.create(new, on: table))
      }
    }
    return edits
  }

  private static func run(_ statements: [String], _ path: String) throws {
    let file = try RawSQLite(path)
    defer { file.close() }
    for sql in statements { try file.exec(sql) }
  }
}

extension MistreatedSchema {
  func searchStatements(of table: Table) -> [String] { table.search.map { create($0, on: table) } ?? [] }

  func insert(_ row: MistreatedFile.Row, into table: Table, without late: Int?) -> String {
    let written = table.columns.filter { $0.generated == nil && $0.id != late && row.values[$0.id] != nil }
    var names = written.map(\.name)
    var values = written.map { (row.values[$0.id] ?? .null).description }
    if let number = row.rowID, table.hasRowID, table.rowIDColumn == nil {
      names.append("rowid")
      values.append("\(number)")
    }
    if names.isEmpty { return "INSERT INTO \(table.name) DEFAULT VALUES" }
    return "INSERT INTO \(table.name) (\(names.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))"
  }
}

extension MistreatedFile: CustomStringConvertible {
  /// A shell script that makes the file, changes it with `schemactl`, and shows it before and after.
  var description: String {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("schemakit-\(UUID().uuidString)").path
    defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
    let phases = (try? build(path)) ?? [["-- cannot be made"]]
    let make = phases.map { phase in
      "sqlite3 t.db <<'SQL'\n.dbconfig defensive off\n" + phase.map { $0 + ";\n" }.joined() + "SQL\n"
    }
    var options = allowances.map { allowance in
      "--allow \(allowance.code):\(allowance.table)" + (allowance.column.map { "." + $0 } ?? "")
    }
    options += renames.map { "--rename \($0)" }
    if keepsDropped { options.append("--keep") }
    let strategy = [.transaction, .script].contains(way) ? "auto" : way.rawValue
    let apply =
      "schemactl apply t.db --to t.sql --yes --no-backup --strategy \(strategy) \(options.joined(separator: " "))"
    let look = declared.tables.map { "sqlite3 t.db '.mode quote' 'SELECT * FROM \($0.name) NOT INDEXED'" }
    return """
      # SCHEMAKIT_MISTREATED_SEED=\(seed) SCHEMAKIT_MISTREATED_CASES=1
      # by \(way.rawValue)\(isUndone ? ", then undone" : ""): \(changes)
      rm -f t.db*
      \(make.joined())cat > t.sql <<'SQL'
      \(target.script)SQL
      \(look.joined(separator: "\n")); sqlite3 t.db 'PRAGMA integrity_check'
      \(apply)\(isUndone ? "\nschemactl undo t.db --yes --allow destructive" : "")
      \(look.joined(separator: "\n")); sqlite3 t.db 'PRAGMA integrity_check'
      """
  }
}
