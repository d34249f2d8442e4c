/// How the rows of one model are read and written on one connection.
///
/// It has identity because it keeps compiled statements, which makes a request cost no SQL text and no compilation.
final class ModelMapping<M: Model> {
  let shape: ModelShape
  let connection: SQLiteConnection
  let group: ColumnGroup<M>
  private let isHandWritten: Bool
  private var isHandWritingChecked = false

  let findSlot: StatementSlot
  let allSlot: StatementSlot
  let updateSlot: StatementSlot
  let deleteSlot: StatementSlot
  var insertSlots: [InsertKind: StatementSlot] = [:]
  /// How a saved row is seen as SQLite stored it.
  let readBack: ReadBack

  /// What must be done to know a row after it was written.
  enum ReadBack {
    /// Nothing: it is stored as it was given, but for a key that SQLite assigns.
    case none
    /// The statement returns it.
    case returning
    /// It is selected, because triggers change it after RETURNING has seen it, or there is no RETURNING.
    case select
  }

  init(_ type: M.Type, on connection: SQLiteConnection) throws {
    let table = M.table
    let shape = ModelShape(TableDeclaration(type))
    self.shape = shape
    self.connection = connection
    group = table.group
    isHandWritten = type is any RowEncodable.Type
    let select = "SELECT \(shape.selection(qualifier: shape.quotedName)) FROM \(shape.source)"
    let key = shape.keyCondition { "?\($0 + 1)" }
    findSlot = StatementSlot(shape.keyIndexes.isEmpty ? select : "\(select) WHERE \(key)")
    allSlot = StatementSlot(select)
    let own = shape.keyCondition { "?\(shape.keyIndexes[$0] + 1)" }
    updateSlot = StatementSlot(
      InsertText(shape).update(columns: shape.writableIndexes.filter { !shape.keyIndexes.contains($0) }))
    deleteSlot = StatementSlot("DELETE FROM \(shape.source) WHERE \(own)")
    let hasTriggers =
      try connection.integer(
        "SELECT count(*) FROM main.sqlite_master WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE",
        [.text(shape.name)]) != 0
    let canReturn = connection.engineVersionNumber >= 3_035_000
    readBack = hasTriggers || (shape.isAltered && !canReturn) ? .select : shape.isAltered ? .returning : .none
  }
}

extension ModelMapping {
  /// Reads the object in the current row of a statement.
  func object(_ reader: inout RowReader, in statement: Statement) throws -> M {
    reader.rewind()
    do {
      return try group.make(&reader)
    } catch let error as ColumnValueError {
      throw misfit(error, at: reader.position - 1, in: statement)
    }
  }

  /// Hands over every object that a statement selects.
  func forEach(_ statement: Statement, _ body: (M) throws -> Void) throws {
    var reader = RowReader(statement, count: shape.columns.count, codings: shape.codings)
    try connection.run(statement) { try body(object(&reader, in: $0)) }
  }

  /// The first object that a statement selects.
  func first(_ statement: Statement) throws -> M? {
    var found: M?
    var reader = RowReader(statement, count: shape.columns.count, codings: shape.codings)
    try connection.run(statement) { if found == nil { found = try object(&reader, in: $0) } }
    return found
  }

  private func misfit(_ error: ColumnValueError, at index: Int, in statement: Statement) -> RecordError {
    let column = shape.columns.indices.contains(index) ? shape.columns[index].name : error.column ?? "?"
    return RecordError(
      .value(
        table: shape.name, column: column, row: rowKey(in: statement), expected: error.expected, found: error.found,
        problem: error.problem))
  }

  /// What tells the current row from others: its rowid, or its key where the table has no rowids.
  private func rowKey(in statement: Statement) -> RecordKey? {
    func value(_ index: Int) -> SQLValue { statement.value(at: Int32(truncatingIfNeeded: index)) }
    if let index = shape.rowIDIndex { return RecordKey([value(index)]) }
    if shape.hiddenRowID != nil { return RecordKey([value(shape.columns.count)]) }
    return shape.keyIndexes.isEmpty ? nil : RecordKey(shape.keyIndexes.map(value))
  }
}

extension ModelMapping {
  /// Appends an object's values, in the author's own way where there is one.
  func write(_ object: M, to row: inout RowWriter) throws {
    row.rewind()
    do {
      if isHandWritten {
        if !isHandWritingChecked { try checkHandWriting(object) }
        try object.encode(into: &row)
      } else {
        try group.write(object, &row)
      }
    } catch var error as ColumnValueError {
      let name = shape.columns.indices.contains(row.position) ? shape.columns[row.position].name : "?"
      error.column = error.column ?? "\(shape.name).\(name)"
      throw RecordError(.unstorable(error.description))
    }
  }

  /// The object's values as its key paths give them, one for each column.
  func values(of object: M) throws -> [SQLValue] {
    let sink = ValueSink(capacity: shape.columns.count)
    var row = RowWriter(sink, codings: shape.codings)
    try group.write(object, &row)
    return sink.values
  }

  /// The object that values make, one for each column.
  func object(from values: [SQLValue]) throws -> M {
    var row = RowReader(ValueRow(values), count: values.count, codings: shape.codings)
    return try group.make(&row)
  }

  private func checkHandWriting(_ object: M) throws {
    let sink = ValueSink(capacity: shape.columns.count)
    var row = RowWriter(sink, codings: shape.codings)
    try object.encode(into: &row)
    let expected = try values(of: object)
    guard sink.values.count == expected.count else {
      throw RecordError(
        .encoding(model: shape.model, problem: "writes \(sink.values.count) values for \(expected.count) columns"))
    }
    if let index = expected.indices.first(where: { expected[$0] != sink.values[$0] }) {
      throw RecordError(
        .encoding(model: shape.model, problem: "writes another value for column \(shape.columns[index].name)"))
    }
    isHandWritingChecked = true
  }
}
