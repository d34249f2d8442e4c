import OrderedCollections
import SchemaKit

/// A key of a table, an index or a constraint, as rows for the rules of a project.
struct RuleKey {
  /// The values behind the id.
  var values: [SQLValue]
  /// The values of each term behind the id of the key.
  var terms: [[SQLValue]]
}

extension LintSubject {
  /// The rows of all tables but those of indexes, whose ids are given when they are written.
  var rows: [(table: RuleTable, values: [SQLValue])] {
    tables.flatMap { rows(of: $0) } + foreignKeyRows
      + schema.views.values.map { (.views, [.text($0.name.text), .text($0.sql)]) }
      + schema.triggers.values.map { (.triggers, values(of: $0)) }
      + schema.virtualTables.values.map {
        (.virtualTables, [.text($0.name.text), .text($0.module.text), .text($0.sql)])
      }
  }

  private func rows(of table: TableSchema) -> [(table: RuleTable, values: [SQLValue])] {
    let name = SQLValue.text(table.name.text)
    let own: [SQLValue] = [
      name, .flag(table.isStrict), .flag(table.isWithoutRowID), .flag(table.primaryKey != nil),
      .flag(table.primaryKey?.isAutoincrement == true), .text(table.sql),
    ]
    let columns = table.columns.enumerated().map { place, column in
      (RuleTable.columns, [name] + values(of: column, at: place + 1, in: table))
    }
    let checks = table.checks.map { check in
      (RuleTable.checks, [name, .optional(check.name?.text), .text(check.expression.text)])
    }
    return [(.tables, own)] + columns + checks
  }

  private func values(of column: ColumnSchema, at place: Int, in table: TableSchema) -> [SQLValue] {
    let keyPlace = table.primaryKey?.columns.firstIndex { $0.name == column.name }
    return [
      .text(column.name.text), .number(place), .optional(column.type), .text(column.affinity.rawValue),
      .flag(table.refusesNull(in: column)), .optional(column.defaultValue?.value.text),
      Self.collation(column.collation),
      keyPlace.map { .number($0 + 1) } ?? .null,
      .optional(column.generation.map { $0.isStored ? "STORED" : "VIRTUAL" }),
    ]
  }

  private var foreignKeyRows: [(table: RuleTable, values: [SQLValue])] {
    var rows: [(table: RuleTable, values: [SQLValue])] = []
    var id = 0
    for table in tables {
      for key in table.foreignKeys {
        id += 1
        rows.append(
          (
            .foreignKeys,
            [
              .number(id), .text(table.name.text), .text(key.parent.text), .text(key.onDelete.rawValue),
              .text(key.onUpdate.rawValue), .flag(key.isDeferrable && key.isInitiallyDeferred),
            ]
          ))
        let parents = schema.tables[key.parent] == nil ? [] : parentColumns(of: key)
        for (place, column) in key.columns.enumerated() {
          let parent = place < parents.count ? parents[place].text : nil
          rows.append(
            (.foreignKeyColumns, [.number(id), .number(place + 1), .text(column.text), .optional(parent)]))
        }
      }
    }
    return rows
  }

  private func values(of trigger: TriggerSchema) -> [SQLValue] {
    var timing = CreateTriggerStatement.Timing.before
    if case .trigger(let statement)? = try? SQLParser.create(trigger.sql), let written = statement.timing {
      timing = written
    }
    return [
      .text(trigger.name.text), .text(trigger.table.text), .text(timing.rawValue), .text(trigger.event),
      .text(trigger.sql),
    ]
  }

  /// The keys of a table's constraints, and its indexes.
  func keys(of table: TableSchema) -> [RuleKey] {
    let name = SQLValue.text(table.name.text)
    func key(_ origin: String, _ columns: [KeyColumn]) -> RuleKey {
      RuleKey(
        values: [name, .null, .text(origin), .flag(true), .null, .null],
        terms: columns.enumerated().map { place, column in
          [
            .number(place + 1), .text(column.name.text), .null, Self.collation(column.collation),
            .flag(column.isDescending),
          ]
        })
    }
    let constraints =
      (table.primaryKey.map { [key("primary key", $0.columns)] } ?? [])
      + table.uniques.map { key("unique", $0.columns) }
    let indexes = indexes(on: table.name).map { index in
      RuleKey(
        values: [
          name, .text(index.name.text), .text("index"), .flag(index.isUnique), .optional(index.predicate?.text),
          .text(index.sql),
        ],
        terms: index.terms.enumerated().map { place, term in
          [
            .number(place + 1), .optional(term.column?.text), term.column == nil ? .text(term.expression.text) : .null,
            Self.collation(term.collation), .flag(term.isDescending),
          ]
        })
    }
    return constraints + indexes
  }

  private static func collation(_ name: SQLName?) -> SQLValue { .text((name?.text ?? "binary").uppercased()) }
}
