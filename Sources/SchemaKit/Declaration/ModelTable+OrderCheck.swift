extension ModelTable {
  /// Finds two columns whose values are swapped when they are read into a model and written back.
  ///
  /// Only the types tie the order of the columns to the order of the initializer's arguments. So rows of sample values
  /// are turned into models and back. Columns with few values, such as Bool, each get a different sequence of them. If
  /// a type has no sample, or the initializer throws, the objects that are saved and read decide: see
  /// ``orderMistake(in:)``.
  func columnsOutOfOrder() -> (first: String, second: String)? {
    guard checksOrder, !group.isCodedByHand else { return nil }
    let columns = group.columns
    var written: [[SQLValue]] = Array(repeating: [], count: columns.count)
    var read = written
    for seeds in Self.seeds(count: columns.count) {
      guard let row = sampleRow(seeds), let model = try? make(from: row), let values = try? values(of: model),
        values.count == row.count
      else { return nil }
      for index in columns.indices {
        written[index].append(row[index])
        read[index].append(values[index])
      }
    }
    for index in columns.indices where read[index] != written[index] {
      // A difference alone may come from an initializer that normalizes values. Another column's value means swapped columns.
      let source = columns.indices.first { $0 != index && written[$0] == read[index] && read[$0] != written[$0] }
      if let source { return (columns[index].name, columns[source].name) }
    }
    return nil
  }

  /// Returns the problem with the functions that a model's author wrote to read and write all columns; nil if there is
  /// none, or if no values can be made up for the columns.
  ///
  /// A value too many or too few would move all that follow into other columns.
  func codingMistake() -> DeclarationError.Reason? {
    guard checksOrder, group.isCodedByHand else { return nil }
    let columns = group.columns
    var given: [[SQLValue]] = Array(repeating: [], count: columns.count)
    // The property's value and the value that is written for it: both functions may mix up two columns in the same way.
    var (held, written) = (given, given)
    for seeds in Self.seeds(count: columns.count) {
      guard let row = sampleRow(seeds) else { return nil }
      var reader = RowReader(owning: ValueRow(row), count: row.count, codings: codings)
      let model = try? group.make(&reader)
      let read = reader.position + (reader.hasReadBeyond ? 1 : 0)
      if reader.hasReadBeyond {
        return .codedColumns(declared: row.count, read: read, written: read, first: nil)
      }
      guard let model, let values = try? values(of: model) else { return nil }
      guard read == row.count, values.count == row.count else {
        // From the first one that is forgotten on, the others get its value or are written in its place.
        let first = columns.indices.first { index in
          read < row.count && columns[index].stored(in: model) != row[index]
            || values.count < row.count && (index >= values.count || values[index] != row[index])
        }
        return .codedColumns(
          declared: row.count, read: read, written: values.count, first: first.map { columns[$0].name })
      }
      for (index, column) in columns.enumerated() {
        given[index].append(row[index])
        held[index].append(column.stored(in: model) ?? row[index])
        written[index].append(values[index])
      }
    }
    // Another value alone may be how the model normalizes it. That of another column is not.
    let wrong = columns.indices.first { index in
      [held[index], written[index]].contains { found in
        found != given[index] && given.indices.contains { $0 != index && given[$0] == found }
      }
    }
    return wrong.map { .wronglyCoded(column: columns[$0].name) }
  }

  /// True if sample values cannot tell the order of the columns: some have none, or the same ones as others.
  var needsObjectsForOrder: Bool {
    guard checksOrder else { return false }
    let columns = group.columns
    var sequences: [[SQLValue]] = Array(repeating: [], count: columns.count)
    for seeds in Self.seeds(count: columns.count) {
      guard let row = sampleRow(seeds), (try? make(from: row)) != nil else { return true }
      for index in columns.indices { sequences[index].append(row[index]) }
    }
    return Set(sequences).count < sequences.count
  }

  /// Finds columns that are mixed up by an object: by its properties, by what is written of it, and by what is made of
  /// that again.
  func orderMistake(in object: Root) -> DeclarationError.Reason? {
    let columns = group.columns
    let held = columns.map { $0.stored(in: object) }
    /// A column that has the value of another one, which has another one itself.
    func mixed(_ values: [SQLValue?]) -> (index: Int, source: Int)? {
      let changed = columns.indices.filter { held[$0] != nil && values[$0] != nil && values[$0] != held[$0] }
      for index in changed {
        if let source = changed.first(where: { $0 != index && held[$0] == values[index] }) { return (index, source) }
      }
      return nil
    }
    guard let written = try? values(of: object), written.count == columns.count else { return nil }
    if let found = mixed(written) { return .wronglyCoded(column: columns[found.index].name) }
    guard let again = try? make(from: written), let found = mixed(columns.map { $0.stored(in: again) }) else {
      return nil
    }
    // An initializer that sorts its values leaves them alone the next time.
    let column = columns[found.index]
    guard let third = try? make(from: values(of: again)), column.stored(in: third) != column.stored(in: again) else {
      return nil
    }
    return group.isCodedByHand
      ? .wronglyCoded(column: column.name)
      : .columnsOutOfOrder(first: column.name, second: columns[found.source].name)
  }

  /// Models made of sample values, no two columns alike if their types allow it; empty if none can be made.
  func samples() -> [Root] {
    guard checksOrder else { return [] }
    return Self.seeds(count: group.columns.count).compactMap { seeds in try? sampleRow(seeds).map(make) }
  }

  /// A value for each column; nil if one has none.
  private func sampleRow(_ seeds: [Int]) -> [SQLValue]? {
    let row = zip(group.columns, seeds).compactMap { $0.sample($1) }
    return row.count == group.columns.count ? row : nil
  }

  /// First a different seed for every column, then one row for every binary digit of the column's number.
  private static func seeds(count: Int) -> [[Int]] {
    let numbers = Array(1...max(count, 1))
    let digits = Int.bitWidth - count.leadingZeroBitCount
    return [numbers] + (0..<digits).map { digit in numbers.map { $0 >> digit & 1 } }
  }
}

extension DeclaredColumn {
  /// The value of its property as stored; nil if it cannot be told.
  fileprivate func stored<Root>(in model: Root) -> SQLValue? {
    guard let value = value(model) else { return nil }
    if let coding { return try? coding.stored(value) }
    return try? (value as? any ColumnValue)?.sqlValue()
  }
}
