extension Planner {
  private static func describe(_ key: PrimaryKeySchema?, before: PrimaryKeySchema?) -> String {
    guard let key else { return "no primary key" }
    var text = "primary key (\(key.columns.map(\.name.text).joined(separator: ", ")))"
    if key.isAutoincrement != before?.isAutoincrement ?? false {
      text += key.isAutoincrement ? " AUTOINCREMENT" : " without AUTOINCREMENT"
    } else if key.isRowIDAlias, before?.isRowIDAlias == false {
      text += " is the rowid"
    }
    return text
  }

  /// The changes of a table as text, one line each.
  package static func describe(_ change: TableChange) -> [String] {
    var lines = change.addedColumns.map {
      "add column \($0.name) \($0.type ?? "")".trimmingTrailingSpace + ($0.isNotNull ? " NOT NULL" : "")
    }
    lines += change.droppedColumns.map { "drop column \($0.name)" }
    lines += change.changedColumns.map { "column \($0.to.name): \($0.words)" }
    if change.isPrimaryKeyChanged {
      lines.append(describe(change.to.primaryKey, before: change.from.primaryKey))
    }
    lines += change.addedUniques.map { "add UNIQUE (\($0.columns.map(\.name.text).joined(separator: ", ")))" }
    lines += change.droppedUniques.map { "drop UNIQUE (\($0.columns.map(\.name.text).joined(separator: ", ")))" }
    lines += change.addedChecks.map { "add CHECK (\($0.expression.text))" }
    lines += change.droppedChecks.map { "drop CHECK (\($0.expression.text))" }
    lines += change.addedForeignKeys.map {
      "add foreign key (\($0.columns.map(\.text).joined(separator: ", "))) \($0.clauseSQL)"
    }
    lines += change.droppedForeignKeys.map {
      "drop foreign key (\($0.columns.map(\.text).joined(separator: ", "))) \($0.clauseSQL)"
    }
    if change.isStrictnessChanged { lines.append(change.to.isStrict ? "STRICT" : "no longer STRICT") }
    if change.isRowIDChanged { lines.append(change.to.isWithoutRowID ? "WITHOUT ROWID" : "with rowid") }
    if change.isOrderChanged { lines.append("order of columns") }
    return lines
  }
}

extension TableChange.ColumnChange {
  /// The changes of a column as text: TEXT → INTEGER, NOT NULL.
  package var words: String {
    kinds.sorted().map { kind in
      switch kind {
      case .type: "\(from.type ?? "no type") → \(to.type ?? "no type")"
      case .nullability: to.isNotNull ? "NOT NULL" : "NULL allowed"
      case .defaultValue: to.defaultValue.map { "DEFAULT \($0.value.text)" } ?? "no default"
      case .collation: "COLLATE \(to.collation?.text ?? "BINARY")"
      case .generation:
        to.generation.map { "generated as (\($0.expression.text)) \($0.isStored ? "STORED" : "VIRTUAL")" }
          ?? "no longer generated"
      case .conflictClause: "ON CONFLICT \((to.notNullConflict ?? .abort).rawValue)"
      }
    }.joined(separator: ", ")
  }
}

extension SchemaDiff {
  /// The differences, one phrase per object.
  package var phrases: [String] {
    func words<Object>(_ kind: String, _ changes: [ObjectChange<Object>], _ name: (Object) -> SQLName) -> [String] {
      changes.map { change in
        switch change {
        case .added(let object): "\(kind) \(name(object)) is new"
        case .dropped(let object): "\(kind) \(name(object)) is gone"
        case .changed(_, let object): "\(kind) \(name(object)) was changed"
        }
      }
    }
    return addedTables.map { "table \($0.name) is new" } + droppedTables.map { "table \($0.name) is gone" }
      + changedTables.map { "table \($0.to.name) differs (\(Planner.describe($0).joined(separator: "; ")))" }
      + words("table", virtualTables, \.name) + words("index", indexes, \.name) + words("view", views, \.name)
      + words("trigger", triggers, \.name)
  }
}

extension Int {
  /// The number with its noun, in the plural if needed.
  package func counted(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }

  /// The number with commas between groups of three digits: 412,003.
  package var grouped: String {
    let digits = String(magnitude)
    var grouped = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { grouped.append(",") }
      grouped.append(digit)
    }
    return self < 0 ? "-" + grouped : grouped
  }
}

extension String {
  fileprivate var trimmingTrailingSpace: String { hasSuffix(" ") ? String(dropLast()) : self }
}
