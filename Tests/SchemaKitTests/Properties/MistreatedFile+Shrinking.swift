extension MistreatedFile {
  /// The smallest file that still fails, as far as leaving one thing out at a time finds it.
  func shrunk(_ fails: (MistreatedFile) -> Bool) -> MistreatedFile {
    var best = self
    var budget = 400
    var isSmaller = true
    while isSmaller, budget > 0 {
      isSmaller = false
      for reduce in best.reductions {
        var next = best
        reduce(&next)
        next.declared.repair()
        budget -= 1
        guard budget > 0, next.weight < best.weight, fails(next) else { continue }
        best = next
        isSmaller = true
        break
      }
    }
    return best
  }

  private var weight: Int {
    var weight = rows.count * 2 + mistreatments.count * 3 + changes.count * 3
    weight += rows.reduce(0) { $0 + $1.values.count + ($1.rowID == nil ? 0 : 1) }
    weight += (isUndone ? 1 : 0) + (keepsDropped ? 1 : 0) + (way == .auto ? 0 : 1)
    for table in declared.tables {
      weight += 5 + table.checks.count + table.uniques.count + table.indexes.count + table.references.count
      weight += (table.search == nil ? 0 : 1) + (table.isStrict ? 1 : 0) + (table.hasRowID ? 0 : 1)
      weight += (table.hasLateColumn ? 1 : 0) + (table.isAutoincrement ? 1 : 0)
      for index in table.indexes {
        weight += index.terms.count + (index.isUnique ? 1 : 0) + (index.predicate == nil ? 0 : 1)
      }
      for column in table.columns {
        weight +=
          3 + (column.isRequired ? 1 : 0) + (column.defaultText == nil ? 0 : 1) + (column.collation == nil ? 0 : 1)
      }
    }
    return weight
  }

  private typealias Reduction = (inout MistreatedFile) -> Void

  /// The coarse ones first.
  private var reductions: [Reduction] {
    var result: [Reduction] = []
    for table in declared.tables { result.append { $0.declared.tables.removeAll { $0.id == table.id } } }
    for at in mistreatments.indices { result.append { $0.mistreatments.remove(at: at) } }
    for at in changes.indices { result.append { $0.changes.remove(at: at) } }
    if rows.count > 2 {
      result.append { $0.rows.removeFirst($0.rows.count / 2) }
      result.append { $0.rows.removeLast($0.rows.count / 2) }
    }
    result.append { $0.isUndone = false }
    result.append { $0.keepsDropped = false }
    result.append { $0.way = .auto }
    for at in declared.tables.indices { result += reductions(ofTable: at) }
    for at in rows.indices { result.append { $0.rows.remove(at: at) } }
    for at in declared.tables.indices { result += reductions(ofColumns: at) }
    for at in rows.indices {
      for column in rows[at].values.keys.sorted() { result.append { $0.rows[at].values[column] = nil } }
      result.append { $0.rows[at].rowID = nil }
    }
    return result
  }

  private func reductions(ofTable at: Int) -> [Reduction] {
    let table = declared.tables[at]
    var result: [Reduction] = [
      { $0.declared.tables[at].search = nil }, { $0.declared.tables[at].hasLateColumn = false },
      { $0.declared.tables[at].isStrict = false }, { $0.declared.tables[at].hasRowID = true },
    ]
    for index in table.indexes.indices { result.append { $0.declared.tables[at].indexes.remove(at: index) } }
    for check in table.checks.indices { result.append { $0.declared.tables[at].checks.remove(at: check) } }
    for unique in table.uniques.indices { result.append { $0.declared.tables[at].uniques.remove(at: unique) } }
    for column in table.columns { result.append { $0.declared.tables[at].columns.removeAll { $0.id == column.id } } }
    if table.isAutoincrement, let column = table.rowIDColumn {
      result.append { $0.declared.tables[at].key = .rowID(column, isAutoincrement: false) }
    }
    return result
  }

  private func reductions(ofColumns at: Int) -> [Reduction] {
    var result: [Reduction] = []
    for column in declared.tables[at].columns.indices {
      result.append { $0.declared.tables[at].columns[column].isRequired = false }
      result.append { $0.declared.tables[at].columns[column].defaultText = nil }
      result.append { $0.declared.tables[at].columns[column].collation = nil }
    }
    for index in declared.tables[at].indexes.indices {
      result.append { $0.declared.tables[at].indexes[index].isUnique = false }
      result.append { $0.declared.tables[at].indexes[index].predicate = nil }
      for term in declared.tables[at].indexes[index].terms.indices
      where declared.tables[at].indexes[index].terms.count > 1 {
        result.append { $0.declared.tables[at].indexes[index].terms.remove(at: term) }
      }
    }
    return result
  }
}
