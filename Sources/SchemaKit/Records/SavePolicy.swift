/// The action of saving if a row with the object's primary key, or with its values in other unique columns, already
/// exists.
///
/// It is an UPSERT in every case, never a REPLACE, which would delete the row first, and with it the rows that refer
/// to it. See [UPSERT](https://sqlite.org/lang_upsert.html).
public struct SavePolicy<M: Model>: Sendable {
  enum Kind: Sendable {
    case upsert
    case insert
    case ignore
    case update([any PartialKeyPath<M> & Sendable])
    case unique([any PartialKeyPath<M> & Sendable], changing: [any PartialKeyPath<M> & Sendable]?)
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

  /// The row that has the object's values in other columns than the primary key takes the values of the object, and
  /// keeps its primary key. Without such a row, one is inserted.
  ///
  /// ```swift
  /// let user = try session.save(User(id: nil, email: "ada@example.org", name: "Ada"), .upsert(on: \.email))
  /// ```
  ///
  /// A unique index or constraint must be over exactly these columns; its collation decides what is equal. NULL equals
  /// nothing, so an object without a value in one of them is inserted. *Cost:* one search more than saving by the
  /// primary key, to read the row back.
  ///
  /// - Parameters:
  ///   - column: A column that identifies the row, with the others.
  ///   - changed: The columns that an existing row takes; nil for all. Its primary key and the columns that identify it stay.
  public static func upsert(
    on column: any PartialKeyPath<M> & Sendable, _ others: (any PartialKeyPath<M> & Sendable)...,
    updating changed: [any PartialKeyPath<M> & Sendable]? = nil
  ) -> Self {
    Self(kind: .unique([column] + others, changing: changed))
  }
}

extension ModelShape {
  /// True if a written row has all values of the object.
  func isWhole(_ kind: InsertKind) -> Bool {
    switch kind {
    case .insert: true
    case .ignore, .unique: false
    case .update(let columns): Set(columns).subtracting(keyIndexes).count >= writableIndexes.count - keyIndexes.count
    }
  }

  /// The columns of properties; of a fragment, those that can be written.
  func indexes(of paths: [AnyKeyPath]) throws -> [Int] {
    try paths.flatMap { path in
      if let part = fragments[path] { return part.filter { !columns[$0].isGenerated } }
      guard let index = indexes[path] else { throw RecordError(.unknownField(model: model, field: "\(path)")) }
      guard !columns[index].isGenerated else {
        throw RecordError(.generatedColumn(table: name, column: columns[index].name))
      }
      return [index]
    }
  }

  func insertKind<M: Model>(_ policy: SavePolicy<M>) throws -> InsertKind {
    switch policy.kind {
    case .insert: return .insert
    case .ignore: return .ignore
    case .unique(let paths, let changed):
      let unique = Set(try indexes(of: paths))
      let changing = try changed.map { try indexes(of: $0) } ?? writableIndexes
      let changed = changing.filter { !unique.contains($0) && !keyIndexes.contains($0) }
      return unique == Set(keyIndexes) ? .update(changed) : .unique(unique.sorted(), changing: changed)
    case .upsert, .update:
      guard !keyIndexes.isEmpty else { throw RecordError(.noPrimaryKey(table: name)) }
      guard case .update(let paths) = policy.kind else {
        return .update(writableIndexes.filter { !keyIndexes.contains($0) })
      }
      return .update(try indexes(of: paths))
    }
  }
}
