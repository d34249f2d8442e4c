/// One kind of change between two schemas.
package enum SketchMutation: String, CaseIterable {
  case addColumn, dropColumn, renameColumn, swapColumns, chainColumns, columnCase, changeType, changeTypeWithinAffinity
  case toggleRequired, changeDefault, changeCollation, reorderColumns
  case addCheck, dropCheck, changeCheck, addUnique, dropUnique, changePrimaryKey, toggleAutoincrement, changeConflict
  case addForeignKey, dropForeignKey, changeForeignKey
  case addGenerated, changeGenerated, toggleStrict, toggleRowID
  case addIndex, dropIndex, changeIndex, addView, dropView, changeView, addTrigger, dropTrigger, changeTrigger
  case addTable, dropTable, renameTable, tableCase, spellingOnly

  /// Changes that rows are likely not to survive.
  static let tightening: [SketchMutation] = [
    .toggleRequired, .addUnique, .addCheck, .addForeignKey, .toggleStrict, .toggleRowID, .changePrimaryKey, .changeType,
    .changeCollation,
  ]
}

extension SchemaGenerator {
  /// Changes the sketch in the given way; false when it offers nothing to change so.
  mutating func apply(_ mutation: SketchMutation) -> Bool {
    let changed = change(mutation)
    sketch.repair()
    return changed
  }

  private mutating func change(_ mutation: SketchMutation) -> Bool {
    switch mutation {
    case .addView:
      guard let view = view() else { return false }
      sketch.views.append(view)
    case .dropView:
      guard let at = sketch.views.indices.randomElement(using: &random) else { return false }
      sketch.views.remove(at: at)
    case .changeView:
      guard let at = sketch.views.indices.randomElement(using: &random), !sketch.views[at].outputs.isEmpty else {
        return false
      }
      sketch.views[at].tail += [.text(" LIMIT \(random.number(1...90))")]
    case .addTrigger:
      guard let trigger = trigger() else { return false }
      sketch.triggers.append(trigger)
    case .dropTrigger:
      guard let at = sketch.triggers.indices.randomElement(using: &random) else { return false }
      sketch.triggers.remove(at: at)
    case .changeTrigger:
      guard let at = sketch.triggers.indices.randomElement(using: &random), let other = trigger() else { return false }
      sketch.triggers[at].text = other.text
    case .addTable:
      var table = table()
      if random.chance(40), let key = foreignKey(of: table, in: sketch.tables) { table.foreignKeys.append(key) }
      sketch.tables.append(table)
    case .spellingOnly: return true
    default:
      guard let at = sketch.tables.indices.randomElement(using: &random) else { return false }
      return change(mutation, tableAt: at)
    }
    return true
  }

  private mutating func change(_ mutation: SketchMutation, tableAt at: Int) -> Bool {
    var table = sketch.tables[at]
    switch mutation {
    case .addCheck: table.checks.append(check(in: table))
    case .dropCheck: guard removeOne(&table.checks) else { return false }
    case .changeCheck:
      guard let item = table.checks.indices.randomElement(using: &random) else { return false }
      table.checks[item].phrase = check(in: table).phrase
    case .addUnique:
      guard let key = unique(in: table) else { return false }
      table.uniques.append(key)
    case .dropUnique: guard removeOne(&table.uniques) else { return false }
    case .changePrimaryKey:
      table.primaryKey = random.chance(20) ? nil : primaryKey(of: &table)
    case .toggleAutoincrement:
      guard table.rowIDColumn != nil, let mark = table.primaryKey?.isAutoincrement else { return false }
      table.primaryKey?.isAutoincrement = !mark
    case .changeConflict:
      if let item = table.uniques.indices.randomElement(using: &random) {
        table.uniques[item].conflict = random.pick(Self.conflicts)
      } else if let item = table.columns.firstIndex(where: \.isRequired) {
        table.columns[item].requiredConflict = random.pick(Self.conflicts)
      } else {
        return false
      }
    case .addForeignKey:
      guard let key = foreignKey(of: table, in: sketch.tables) else { return false }
      table.foreignKeys.append(key)
    case .dropForeignKey: guard removeOne(&table.foreignKeys) else { return false }
    case .changeForeignKey:
      guard let item = table.foreignKeys.indices.randomElement(using: &random) else { return false }
      changeActions(of: &table.foreignKeys[item])
    case .toggleStrict:
      guard Engine.has(.strict) else { return false }
      table.isStrict.toggle()
    case .toggleRowID:
      if table.hasRowID, table.primaryKey == nil || table.primaryKey?.isAutoincrement == true { return false }
      table.hasRowID.toggle()
    case .addIndex: table.indexes.append(index(on: table))
    case .dropIndex: guard removeOne(&table.indexes) else { return false }
    case .changeIndex:
      guard let item = table.indexes.indices.randomElement(using: &random) else { return false }
      table.indexes[item].parts = index(on: table).parts
      if random.chance(20) { table.indexes[item].isUnique.toggle() }
    case .dropTable:
      guard sketch.tables.count > 1 else { return false }
      sketch.tables.remove(at: at)
      return true
    case .renameTable: table.name = objectName(Self.tableNames)
    case .tableCase:
      guard let name = recased(table.name) else { return false }
      table.name = name
    default:
      guard changeColumn(mutation, of: &table) else { return false }
    }
    sketch.tables[at] = table
    return true
  }

  private mutating func changeColumn(_ mutation: SketchMutation, of table: inout SchemaSketch.Table) -> Bool {
    guard let item = table.columns.indices.randomElement(using: &random) else { return false }
    switch mutation {
    case .addColumn:
      var column = column(in: table)
      if column.isRequired, column.defaultText == nil || column.defaultText == "NULL", random.chance(80) {
        column.defaultText = RawAffinity(of: column.type) == .blob ? "x'01'" : table.isStrict ? "1" : "'n'"
      }
      table.columns.insert(column, at: random.chance(70) ? table.columns.count : item)
    case .dropColumn:
      guard table.ordinary.count > 1 else { return false }
      table.columns.remove(at: item)
    case .renameColumn: table.columns[item].name = columnName(in: table.id)
    case .columnCase:
      guard let name = recased(table.columns[item].name) else { return false }
      table.columns[item].name = name
    case .swapColumns:
      guard let other = table.columns.indices.first(where: { isWorthSwapping(table.columns[$0], table.columns[item]) })
      else { return false }
      (table.columns[item].name, table.columns[other].name) = (table.columns[other].name, table.columns[item].name)
    case .chainColumns:
      guard table.columns.count > 1 else { return false }
      let other = (item + 1) % table.columns.count
      table.columns[item].name = table.columns[other].name
      table.columns[other].name = columnName(in: table.id)
    case .changeType:
      table.columns[item].type = table.isStrict ? random.pick(strictTypes) : random.pick(Self.types)
    case .changeTypeWithinAffinity:
      let affinity = RawAffinity(of: table.columns[item].type)
      guard !table.isStrict, let type = random.any(Self.types.filter { RawAffinity(of: $0) == affinity }) else {
        return false
      }
      table.columns[item].type = type
    case .toggleRequired: table.columns[item].isRequired.toggle()
    case .changeDefault:
      guard table.columns[item].generated == nil else { return false }
      table.columns[item].defaultText = random.chance(30) ? nil : defaultText(for: table.columns[item].type)
    case .changeCollation:
      table.columns[item].collation = random.chance(30) ? nil : random.pick(Self.collations)
    case .reorderColumns: table.columns.shuffle(using: &random)
    case .addGenerated:
      guard let column = generatedColumn(in: table) else { return false }
      table.columns.append(column)
    case .changeGenerated:
      guard let at = table.columns.firstIndex(where: { $0.generated != nil }), let source = random.any(table.ordinary)
      else { return false }
      if random.chance(50) {
        table.columns[at].isStored.toggle()
      } else {
        table.columns[at].generated = generatedPhrase(source.id)
      }
    default: return false
    }
    return true
  }

  private func isWorthSwapping(_ one: SchemaSketch.Column, _ other: SchemaSketch.Column) -> Bool {
    one.id != other.id && one.generated == nil && other.generated == nil
      && RawAffinity(of: one.type) != RawAffinity(of: other.type)
  }

  private mutating func removeOne<Element>(_ items: inout [Element]) -> Bool {
    guard let at = items.indices.randomElement(using: &random) else { return false }
    items.remove(at: at)
    return true
  }

  private func recased(_ name: String) -> String? {
    guard let first = name.first, first.isASCII, first.isLetter else { return nil }
    return (first.isLowercase ? first.uppercased() : first.lowercased()) + name.dropFirst()
  }
}
