/// Reads and writes the rows of one model on one connection.
///
/// It has identity because it keeps compiled statements, so that a request builds no SQL text and compiles nothing.
final class ModelMapping<M: Model> {
  let shape: ModelShape
  let connection: SQLiteConnection
  let group: ColumnGroup<M>
  private let isHandWritten: Bool
  private var isHandWritingChecked = false
  private let isHandRead: Bool
  private var isHandReadingChecked = false
  /// The number of further objects that are checked for columns that are mixed up; one object may have the same value in
  /// both.
  private var uncheckedObjects = 0

  let findSlot: StatementSlot
  let allSlot: StatementSlot
  let updateSlot: StatementSlot
  let deleteSlot: StatementSlot
  var insertSlots: [InsertKind: StatementSlot] = [:]
  /// The lookups of a row by unique columns that are not the primary key.
  var uniqueRows: [[Int]: UniqueRow] = [:]
  /// The way to read a saved row back as SQLite stored it.
  let readBack: ReadBack
  /// True if an INSERT returns the row: to be read, or for a key that a default produces.
  let isReturning: Bool
  /// True if defaults in a key are computed before the INSERT, because it cannot return them.
  let fillsKeys: Bool

  /// The way to read back a row after it was written.
  enum ReadBack {
    /// Nothing: it is stored as given, except for a key that SQLite assigns.
    case none
    /// The statement returns it.
    case returning
    /// It is selected, because triggers change it after RETURNING has seen it, or RETURNING is not available.
    case select
  }

  init(_ type: M.Type, on connection: SQLiteConnection) throws {
    let table = M.table
    let shape = ModelShape(TableDeclaration(type))
    self.shape = shape
    self.connection = connection
    group = table.group
    if table.needsObjectsForOrder { uncheckedObjects = 100 }
    isHandWritten = type is any RowEncodable.Type
    isHandRead = type is any RowDecodable.Type
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
    let canReturn = connection.canReturnRows
    let readBack: ReadBack =
      hasTriggers || (shape.isAltered && !canReturn) ? .select : shape.isAltered ? .returning : .none
    self.readBack = readBack
    let hasDefaultKey = shape.keyIndexes.contains { shape.columns[$0].substitute != nil }
    isReturning = readBack == .returning || canReturn && hasDefaultKey
    fillsKeys = !canReturn && hasDefaultKey
  }
}

extension ModelMapping {
  /// A reader for the rows of a statement that selects the columns of the table and what follows them, starting at a
  /// column.
  func reader(_ statement: Statement, from base: Int = 0) -> RowReader {
    RowReader(lent: statement, from: base, count: shape.columns.count, codings: shape.codings)
  }

  /// Reads the object in the current row, using the model's own decoding if it has one.
  func object(_ reader: inout RowReader) throws -> M {
    reader.rewind()
    do {
      guard isHandRead else {
        let object = try group.make(&reader)
        guard reader.isAtEnd else { throw wrongReading(of: reader.position) }
        if uncheckedObjects > 0 { try checkOrder(object) }
        return object
      }
      if !isHandReadingChecked { try checkHandReading(reader) }
      let object = try M.decode(from: &reader)
      guard reader.isAtEnd else { throw wrongReading(of: reader.position) }
      if uncheckedObjects > 0 { try checkOrder(object) }
      return object
    } catch let error as ColumnValueError {
      throw typeMismatch(error, in: reader)
    }
  }

  /// Passes every object that a statement selects to the body.
  func forEach(_ statement: Statement, _ body: (M) throws -> Void) throws {
    var reader = reader(statement)
    try connection.run(statement) { _ in try body(object(&reader)) }
  }

  /// Every object that a statement selects.
  func all(_ statement: Statement) throws -> [M] {
    var reader = reader(statement)
    do {
      return try connection.withRows(of: statement) { next in
        guard isHandRead else {
          let all = try group.makeAll(&reader, next)
          guard all.isEmpty || reader.isAtEnd else { throw wrongReading(of: reader.position) }
          if uncheckedObjects > 0 { try checkOrder(of: all) }
          return all
        }
        let unchecked = isHandReadingChecked ? nil : reader
        let all = try M.decodeAll(from: &reader) {
          guard try next() else { return false }
          if let unchecked, !isHandReadingChecked { try checkHandReading(unchecked) }
          return true
        }
        guard all.isEmpty || reader.isAtEnd else { throw wrongReading(of: reader.position) }
        if uncheckedObjects > 0 { try checkOrder(of: all) }
        return all
      }
    } catch let error as ColumnValueError {
      throw typeMismatch(error, in: reader)
    }
  }

  /// The object with a key, of which there is at most one.
  func find(_ key: [SQLValue]) throws -> M? {
    try connection.withStatement(findSlot, key: rowKey(key)) { statement in
      try statement.bind(key)
      return try first(statement)
    }
  }

  /// The object with a key of one column.
  func find(_ key: SQLValue) throws -> M? {
    // Without closures, whose type the compiler would have to look up for each object.
    let statement = try connection.lend(findSlot, key: connection.isRecordingReads ? rowKey([key]) : nil)
    defer { connection.takeBack(statement) }
    try statement.bind(key, at: 1)
    return try first(statement)
  }

  private func rowKey(_ values: [SQLValue]) -> RowKey {
    RowKey(columns: shape.keyIndexes.map { shape.columns[$0].name }, values: values)
  }

  /// The first object selected by a statement that writes nothing: the rows after it are not visited.
  func first(_ statement: Statement) throws -> M? {
    guard try connection.moveToFirstRow(of: statement) else {
      connection.endRows()
      return nil
    }
    var reader = reader(statement)
    let object = try object(&reader)
    connection.endRows()
    return object
  }

  private func typeMismatch(_ error: ColumnValueError, in reader: RowReader) -> RecordError {
    let index = reader.position - 1
    let column = shape.columns.indices.contains(index) ? shape.columns[index].name : error.column ?? "?"
    return RecordError(
      .value(
        table: shape.name, column: column, row: rowKey(in: reader), expected: error.expected, found: error.found,
        problem: error.problem))
  }

  /// Returns the identity of the current row: its rowid, or its key if the table has no rowids.
  private func rowKey(in reader: RowReader) -> RecordKey? {
    var indexes = shape.keyIndexes
    if let index = shape.rowIDIndex {
      indexes = [index]
    } else if shape.hiddenRowID != nil {
      indexes = [shape.columns.count]
    }
    for indexes in [indexes, shape.keyIndexes] where !indexes.isEmpty {
      let values = indexes.compactMap { try? reader.source.sqlValue(at: reader.base + $0) }
      // A custom query has no rowid after its columns; then the key must do.
      if values.count == indexes.count { return RecordKey(values) }
    }
    return nil
  }
}

extension ModelMapping {
  /// Appends an object's values, using the model's own encoding if it has one.
  func write(_ object: M, to row: inout RowWriter) throws {
    row.rewind()
    if uncheckedObjects > 0 { try checkOrder(object) }
    do {
      if isHandWritten {
        if !isHandWritingChecked { try checkHandWriting(object) }
        try object.encode(into: &row)
      } else {
        try group.write(object, &row)
      }
      guard row.position == shape.columns.count else { throw wrongCount(row.position) }
    } catch var error as ColumnValueError {
      let name = shape.columns.indices.contains(row.position) ? shape.columns[row.position].name : "?"
      error.column = error.column ?? "\(shape.name).\(name)"
      throw RecordError(.unstorable(error.description))
    }
  }

  /// The object's values as read through its key paths, one for each column.
  func values(of object: M) throws -> [SQLValue] {
    let sink = ValueSink(capacity: shape.columns.count)
    var row = RowWriter(sink, codings: shape.codings)
    try group.write(object, &row)
    return sink.values
  }

  /// The object created from values, one for each column.
  func object(from values: [SQLValue]) throws -> M {
    var row = RowReader(owning: ValueRow(values), count: values.count, codings: shape.codings)
    return try group.make(&row)
  }

  private func checkOrder(of objects: [M]) throws {
    for object in objects.prefix(uncheckedObjects) { try checkOrder(object) }
  }

  /// - Throws: `DeclarationError` if an object shows that columns are mixed up.
  private func checkOrder(_ object: M) throws {
    uncheckedObjects -= 1
    if let mistake = M.table.orderMistake(in: object) {
      throw DeclarationError(mistake, model: "\(M.self)", table: shape.name)
    }
  }

  /// Compares both ways of writing, for an object and for some sample objects whose columns all differ.
  private func checkHandWriting(_ object: M) throws {
    for sample in [object] + M.table.samples() {
      let sink = ValueSink(capacity: shape.columns.count)
      var row = RowWriter(sink, codings: shape.codings)
      try sample.encode(into: &row)
      let expected = try values(of: sample)
      guard sink.values.count == expected.count else { throw wrongCount(sink.values.count) }
      if let index = expected.indices.first(where: { expected[$0] != sink.values[$0] }) {
        throw RecordError(
          .encoding(model: shape.model, problem: "writes another value for column \(shape.columns[index].name)"))
      }
    }
    isHandWritingChecked = true
  }

  /// Compares both ways of reading, for the current row and for some sample rows whose columns all differ.
  private func checkHandReading(_ reader: RowReader) throws {
    var readers: [RowReader] = []
    var own = reader
    // A row that does not fit is reported by the read that follows.
    if (try? group.make(&own)) != nil { readers.append(reader) }
    for sample in M.table.samples() {
      let sink = ValueSink(capacity: shape.columns.count)
      var row = RowWriter(sink, codings: shape.codings)
      try group.write(sample, &row)
      readers.append(RowReader(owning: ValueRow(sink.values), count: shape.columns.count, codings: shape.codings))
    }
    for var reader in readers {
      let expected = try values(of: group.make(&reader))
      reader.rewind()
      let found = try values(of: M.decode(from: &reader))
      guard reader.isAtEnd else { throw wrongReading(of: reader.position) }
      if let index = expected.indices.first(where: { expected[$0] != found[$0] }) {
        throw RecordError(
          .decoding(model: shape.model, problem: "reads another value for column \(shape.columns[index].name)"))
      }
    }
    isHandReadingChecked = !readers.isEmpty
  }

  private func wrongReading(of count: Int) -> RecordError {
    RecordError(.decoding(model: shape.model, problem: "reads \(count) values of \(shape.columns.count) columns"))
  }

  private func wrongCount(_ count: Int) -> RecordError {
    RecordError(
      .encoding(model: shape.model, problem: "writes \(count) values for \(shape.columns.count) columns"))
  }
}
