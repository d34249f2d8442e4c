import SchemaKit

/// The part of a ``RecordError`` that a test compares: without the cause, whose text belongs to SQLite.
enum RecordReason: Error, Hashable {
  case notInSchema
  case noPrimaryKey(String)
  case noKey(String)
  case notFound(String, [SQLValue])
  case generatedColumn(String)
  case violation(RecordError.ConstraintKind, table: String, columns: [String])
  case foreignCursor
  case noRelation(Int)
  case parameters
  case missingColumn(String)
  case noColumn(String)
  case encoding
  case decoding
  case wrongKey
  case typeMismatch(column: String)
  case other(RecordError.Reason)

  init(_ error: RecordError) {
    switch error.reason {
    case .notInSchema: self = .notInSchema
    case .noPrimaryKey(let table): self = .noPrimaryKey(table)
    case .noKey(let table): self = .noKey(table)
    case .notFound(let table, let key): self = .notFound(table, key.values)
    case .generatedColumn(_, let column): self = .generatedColumn(column)
    case .constraint(let kind, let table, let columns, _): self = .violation(kind, table: table, columns: columns)
    case .foreignCursor: self = .foreignCursor
    case .noRelation(_, _, let count, _): self = .noRelation(count)
    case .parameters: self = .parameters
    case .missingColumn(_, let column): self = .missingColumn(column)
    case .noColumn(let name, _): self = .noColumn(name)
    case .encoding: self = .encoding
    case .decoding: self = .decoding
    case .wrongKey: self = .wrongKey
    case .value(_, let column, _, _, _, _): self = .typeMismatch(column: column)
    default: self = .other(error.reason)
    }
  }
}

/// Runs work and throws the reason of a ``RecordError`` in its place.
func reasoned<Value>(_ body: () throws -> Value) throws -> Value {
  do {
    return try body()
  } catch let error as RecordError {
    throw RecordReason(error)
  }
}
