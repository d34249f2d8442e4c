/// What saving does if a row with the object's primary key already exists.
///
/// It is an UPSERT in every case, never a REPLACE, which would delete the row first, and with it the rows that refer
/// to it. See [UPSERT](https://sqlite.org/lang_upsert.html).
public struct SavePolicy<M: Model>: Sendable {
  enum Kind: Sendable {
    case upsert
    case insert
    case ignore
    case update([any PartialKeyPath<M> & Sendable])
  }
  let kind: Kind

  /// The row takes all values of the object.
  public static var upsert: Self { Self(kind: .upsert) }

  /// The row is left unchanged, and saving throws a ``RecordError``.
  public static var insert: Self { Self(kind: .insert) }

  /// The row is left unchanged, even if the conflict is with another uniqueness constraint.
  public static var ignore: Self { Self(kind: .ignore) }

  /// The row takes the values of these columns and keeps the others.
  public static func update(_ columns: (any PartialKeyPath<M> & Sendable)...) -> Self { Self(kind: .update(columns)) }
}

extension ModelShape {
  /// Whether a written row has all values of the object.
  func isWhole(_ kind: InsertKind) -> Bool {
    switch kind {
    case .insert: true
    case .ignore: false
    case .update(let columns): columns.count >= writableIndexes.count - keyIndexes.count
    }
  }

  /// The columns of properties.
  func indexes(of paths: [AnyKeyPath]) throws -> [Int] {
    try paths.map { path in
      guard let index = indexes[path] else { throw RecordError(.unknownField(model: model, field: "\(path)")) }
      guard !columns[index].isGenerated else {
        throw RecordError(.generatedColumn(table: name, column: columns[index].name))
      }
      return index
    }
  }

  func insertKind<M: Model>(_ policy: SavePolicy<M>) throws -> InsertKind {
    switch policy.kind {
    case .insert: return .insert
    case .ignore: return .ignore
    case .upsert, .update:
      guard !keyIndexes.isEmpty else { throw RecordError(.noPrimaryKey(table: name)) }
      guard case .update(let paths) = policy.kind else {
        return .update(writableIndexes.filter { !keyIndexes.contains($0) })
      }
      return .update(try indexes(of: paths))
    }
  }
}
