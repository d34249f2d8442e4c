import OrderedCollections
import SchemaKitFoundation

/// Undoes the last change of a database: restores the schema before it, with what was kept of its rows.
///
/// ```swift
/// let undo = try MigrationUndo(at: "notes.db")
/// print(undo.losses, try undo.plan().hazards)
/// try undo.apply(allowing: .lossless)
/// ```
///
/// The content of a column or table is restored if the change kept it (`PlanPolicy.keepsDropped`); what was written
/// since into columns and tables that the change added is lost with them, which requires consent like any other loss.
public struct MigrationUndo {
  private let connection: any SQLConnection
  package let context: UndoContext
  package let target: TargetSchema
  /// True if a column that comes back takes its former place, which copies the table; otherwise it may become the last.
  public var isOrderStrict = false

  /// Finds the last change of a database.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - schema: The name of the schema; it may be omitted if the file has only one.
  ///   - key: The key of an encrypted file.
  /// - Throws: `HistoryError` if there is nothing to undo, `SQLiteError` from the engine.
  public init(at path: String, schema: String? = nil, busyTimeout: Double = 10, key: EncryptionKey? = nil) throws {
    try self.init(
      over: SQLiteConnection.probed(path: path, busyTimeout: busyTimeout, key: key), schema: schema)
  }

  /// Finds the last change of a database over a connection of yours.
  ///
  /// Give a `SQLiteConnection` as it is. Of another conformance, one that wraps it included, only SQL can be asked: the
  /// pages of the file, the room on its disk and statements that are still being read are not looked at.
  public init(over connection: any SQLConnection, schema: String? = nil) throws {
    self.connection = connection
    (context, target) = try connection.transaction(.deferred) { try Self.lastChange(on: connection, schema: schema) }
  }

  /// The history entry that is undone.
  public var entry: HistoryEntry { context.entry }

  /// The losses that undoing does not restore, one sentence each.
  public var losses: [String] { context.losses.map(\.words) }

  /// Notes on restored values, one sentence each: SQLite may reuse the key of a deleted row, and kept values are
  /// identified by their key alone. See [AUTOINCREMENT](https://sqlite.org/autoinc.html).
  public var notes: [String] { context.nulls.map(\.words) + keyNotes }

  private var keyNotes: [String] {
    let columns = context.kept.compactMap { kept in kept.column.map { kept.table.dotted($0) } }
    guard !columns.isEmpty else { return [] }
    let one = columns.count == 1
    let work = context.losses.contains { [.dataStep, .dataFile].contains($0.kind) }
    return [
      "What was kept of \(columns.joined(separator: ", ")) goes to the rows that have \(one ? "its" : "their") keys now: a row "
        + "that was given the key of a deleted one since gets the deleted one's value."
        + (work ? " So does one that the work on rows gave another's key." : "")
    ]
  }

  /// The copy of the database that was made before the change, or before others in the same run, if it still exists: it
  /// has what undoing does not restore.
  public var copy: String? { (connection as? any LocalEngine)?.filePath.flatMap { copy(beside: $0) } }

  /// The same, relative to the given path of the database.
  package func copy(beside path: String) -> String? {
    guard let name = context.record.copy else { return nil }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    let file = name.contains("/") ? name : folder + name
    return FileManager.default.fileExists(atPath: file) ? file : nil
  }

  /// The plan for undoing, with its hazards on the rows that exist now.
  public func plan() throws -> MigrationPlan {
    try Change(over: connection, to: target, request(.lossless)).plan()
  }

  /// Undoes the change in one transaction; on any failure the file is left unchanged.
  ///
  /// - Throws: `PlanError` for losses without consent, `HistoryError` if something else changed the schema since,
  ///   `ApplyError` after a rollback.
  @discardableResult
  public func apply(allowing policy: PlanPolicy = .lossless, program: String = "") throws -> ApplyReport {
    var request = request(policy)
    request.program = program
    return try Change(over: connection, to: target, request).apply()
  }

  private func request(_ policy: PlanPolicy) -> ChangeRequest {
    var request = ChangeRequest(allowing: policy)
    request.plan.isOrderStrict = isOrderStrict
    request.undo = context
    return request
  }
}

extension MigrationUndo {
  private static func lastChange(
    on connection: any SQLConnection, schema: String?
  ) throws -> (UndoContext, TargetSchema) {
    let ledger = Ledger(connection: connection)
    try ledger.checkFormat()
    let live = try ledger.entries().filter { $0.isLive && (schema == nil || $0.schema == schema) }
    let names = Set(live.map(\.schema)).sorted()
    guard names.count <= 1 else { throw HistoryError(reason: .severalSchemas(names)) }
    guard let entry = live.last, entry.kind == .apply else { throw HistoryError(reason: .nothingToUndo) }
    guard let record = try ledger.undoRecord(of: entry.id) else {
      throw HistoryError(reason: .notUndoable(entry: entry.id, problem: .notRecorded))
    }
    if record.isContraction == true {
      throw HistoryError(reason: .notUndoable(entry: entry.id, problem: .contraction))
    }
    var context = UndoContext(
      entry: entry, record: record, kept: try KeptTables(connection: connection).values(of: entry.id))
    let later = try ledger.entries().filter { $0.id > entry.id && $0.schema == entry.schema }
    try context.checkKeys(against: later.map { ($0, $0.kind == .apply ? try ledger.undoRecord(of: $0.id) : nil) })
    try NullKeeper(connection: connection).check(context.nulls)
    let owned = try ledger.droppableObjects(of: entry.schema)
    return (context, try target(of: context, known: SchemaReader.read(connection), owned: owned))
  }

  private static func target(
    of context: UndoContext, known: DatabaseSchema, owned: Set<SQLName>
  ) throws -> TargetSchema {
    let record = context.record
    let declaration = SchemaDeclaration(
      name: context.entry.schema, statements: record.statements.map { DeclaredStatement(sql: $0) })
    var target = try SchemaLoader(source: "the history").load(declaration, known: known).target
    var renames = KnownRenames()
    for rename in record.renames {
      let table = SQLName(rename.table)
      if let column = rename.column, let newColumn = rename.newColumn {
        renames.columns[table, default: [:]][SQLName(column)] = SQLName(newColumn)
      } else {
        renames.tables[table] = SQLName(rename.newTable)
      }
    }
    target.hints.knownRenames = renames
    for column in record.forms?.columns ?? [] {
      // The former program is not here to say what it reads.
      target.hints.tables[SQLName(column.table), default: TableHints()].forms[SQLName(column.column)] = DeclaredForm(
        column.form)
    }
    let names = Set(renames.tables.values)
    // A table that the change made under the former name of another goes; any other is not the schema's to drop.
    let taken = renames.tables.keys.sorted().first { name in
      known.table(name) != nil && !names.contains(name) && !owned.contains(name)
    }
    if let taken {
      throw HistoryError(reason: .notUndoable(entry: context.entry.id, problem: .takenName(taken.text)))
    }
    for (table, column) in missingColumns(of: target.schema, in: known, renames: renames) {
      // Values that were NULL must not be replaced by the default.
      target.hints.tables[table, default: TableHints()].columns[column, default: ColumnHints()].backfill = "NULL"
    }
    for nulls in context.nulls {
      target.hints.tables[SQLName(nulls.table), default: TableHints()]
        .columns[SQLName(nulls.column), default: ColumnHints()].nullCondition = nulls.condition(
          of: context.entry.id)
    }
    for kept in context.kept {
      guard let name = kept.column else {
        target.hints.keptTables[kept.table] = kept
        continue
      }
      guard let column = target.schema.table(kept.table)?.column(name) else { continue }
      target.hints.keptColumns.append(kept)
      // The file's current names always mean what they say; a former name could be another column's by now.
      var expression = kept.lookup { key in
        let rename = record.renames.first { SQLName($0.table) == kept.table && $0.column.map { SQLName($0) } == key }
        return rename?.newColumn.map { SQLName($0) } ?? key
      }
      expression = "(\(expression))"
      if column.isNotNull, let value = column.defaultValue {
        expression = "coalesce(\(expression), \(value.expression))"
      }
      target.hints.tables[kept.table, default: TableHints()].columns[name, default: ColumnHints()].backfill = expression
      target.hints.tables[kept.table]?.columns[name]?.isRestored = true
    }
    return target
  }

  /// The columns that may be NULL, have a default, and are not in the file.
  private static func missingColumns(
    of schema: DatabaseSchema, in file: DatabaseSchema, renames: KnownRenames
  ) -> [(table: SQLName, column: SQLName)] {
    schema.tables.values.flatMap { table -> [(table: SQLName, column: SQLName)] in
      guard let current = file.table(renames.tables[table.name] ?? table.name) else { return [] }
      let known = renames.columns[table.name] ?? [:]
      return table.writableColumns.filter { column in
        guard !column.isNotNull, column.defaultValue?.isNull == false, known[column.name] == nil else { return false }
        return current.column(column.name) == nil || known.values.contains(column.name)
      }.map { (table: table.name, column: $0.name) }
    }
  }
}
