package import SchemaKit
package import SchemaKitOperations

/// The differences between two schemas, object by object; objects are matched by name only.
package struct DiffReport: Sendable {
  /// One object that differs.
  struct Entry: Sendable, Encodable {
    /// The change of an object.
    enum Change: String, Sendable, Encodable { case added, dropped, changed }
    var change: Change
    var kind: String
    var object: String
    var details: [String]
    /// The columns that are added or changed, by their names in the second schema; they are in the details too.
    var columns: [SQLName] = []

    enum CodingKeys: CodingKey { case change, kind, object, details }
  }

  package var from: String
  package var to: String
  let entries: [Entry]
  /// The tables that differ, and those whose indexes or triggers do.
  package let tables: Set<SQLName>
  /// The notes about a program that runs already; nil if nobody asked.
  package var running: RunningProgram?

  /// Compares two schemas.
  ///
  /// - Parameters:
  ///   - old: The first schema, with the name of its origin.
  ///   - new: The second schema, with the name of its origin.
  ///   - isOrderStrict: True if a different order of columns counts as a difference.
  package init(
    from old: (name: String, schema: DatabaseSchema), to new: (name: String, schema: DatabaseSchema),
    isOrderStrict: Bool = false
  ) {
    from = old.name
    to = new.name
    let diff = SchemaDiff(from: old.schema, to: new.schema, isOrderStrict: isOrderStrict)
    // Without hints, only a change of letter case is a rename, and that is never ambiguous.
    let renames = try? SchemaRenames.resolve(from: old.schema, to: new.schema, hints: MigrationHints())
    entries = Self.tables(diff, renames: renames) + Self.others(diff)
    tables = Set(entries.filter { $0.kind == "table" || $0.kind == "view" }.map { SQLName($0.object) })
      .union(diff.indexes.flatMap { [$0.old?.table, $0.new?.table].compactMap { $0 } })
      .union(diff.triggers.flatMap { [$0.old?.table, $0.new?.table].compactMap { $0 } })
  }

  private static func tables(_ diff: SchemaDiff, renames: SchemaRenames?) -> [Entry] {
    var details: [SQLName: [String]] = [:]
    var changed: [SQLName: [SQLName]] = [:]
    for change in diff.changedTables {
      details[change.to.name] = change.edits.map(\.sentence)
      changed[change.to.name] = change.edits.compactMap(\.column)
    }
    for (new, old) in renames?.formerTables ?? [:] { details[new, default: []].append("spelled \(old) before") }
    for (table, columns) in renames?.formerColumns ?? [:] {
      let lines = columns.sorted { $0.key < $1.key }.map { "column \($0.key): spelled \($0.value) before" }
      details[table, default: []] += lines
    }
    return diff.droppedTables.map { Entry(change: .dropped, kind: "table", object: $0.name.text, details: []) }
      + details.sorted { $0.key < $1.key }.map {
        Entry(
          change: .changed, kind: "table", object: $0.key.text, details: $0.value, columns: changed[$0.key] ?? [])
      }
      + diff.addedTables.map {
        Entry(
          change: .added, kind: "table", object: $0.name.text,
          details: ["with \(Wording.counted($0.columns.count, "column"))"])
      }
  }

  private static func others(_ diff: SchemaDiff) -> [Entry] {
    diff.virtualTables.map { entry($0, kind: "table", name: \.name, details: { ["virtual, using \($0.module)"] }) }
      + diff.indexes.map { entry($0, kind: "index", name: \.name, details: { ["on \($0.table)"] }) }
      + diff.views.map { entry($0, kind: "view", name: \.name, details: { _ in [] }) }
      + diff.triggers.map { entry($0, kind: "trigger", name: \.name, details: { ["on \($0.table)"] }) }
  }

  private static func entry<Object>(
    _ change: SchemaDiff.ObjectChange<Object>, kind: String, name: (Object) -> SQLName, details: (Object) -> [String]
  ) -> Entry {
    switch change {
    case .added(let object): Entry(change: .added, kind: kind, object: name(object).text, details: details(object))
    case .dropped(let object): Entry(change: .dropped, kind: kind, object: name(object).text, details: details(object))
    case .changed(_, let object):
      Entry(change: .changed, kind: kind, object: name(object).text, details: details(object) + ["new definition"])
    }
  }
}

extension DiffReport {
  /// The objects that differ, each with its kind.
  package var objects: [String] { entries.map { "\($0.kind) \($0.object)" } }

  /// True if the schemas are equal.
  package var isEmpty: Bool { entries.isEmpty }

  /// The report for people.
  package func text(style: Style = .plain) -> String {
    let notes = running.map { "\n" + $0.lines(style: style).joined(separator: "\n") + "\n" } ?? ""
    guard !isEmpty else { return "\(from) and \(to) are equal.\n" + notes }
    return style.bold(
      "\(from) → \(to): \(Wording.counted(entries.count, "object")) \(entries.count == 1 ? "differs" : "differ")")
      + "\n\n" + lines(style: style).joined(separator: "\n") + "\n" + notes
  }

  /// A line for each object, and one for each further detail.
  func lines(style: Style) -> [String] {
    let width = min(32, entries.map { "\($0.kind) \($0.object)".count }.max() ?? 0)
    return entries.flatMap { entry -> [String] in
      let mark =
        switch entry.change {
        case .added: style.green("+")
        case .dropped: style.red("-")
        case .changed: style.yellow("~")
        }
      let label = "\(entry.kind) \(entry.object)"
      let first = entry.details.first ?? ""
      let head = first.isEmpty ? label : "\(label.padded(to: width))  \(first)"
      return ["  \(mark) \(head)"] + entry.details.dropFirst().map { $0.indented(by: width + 6) }
    }
  }

  /// The report for programs.
  package func json() -> String {
    struct Document: Encodable {
      var formatVersion = JSONDocument.formatVersion
      var from: String
      var to: String
      var isEqual: Bool
      var differences: [Entry]
      var running: RunningDocument?
    }
    return JSONDocument.of(
      Document(
        from: from, to: to, isEqual: isEmpty, differences: entries, running: running.map(RunningDocument.init)))
  }
}

extension SchemaEdit {
  /// The column that is added or changed, by its new name; nil for other changes, and for a column that goes.
  var column: SQLName? {
    switch self {
    case .addColumn(let name, _, _), .changeColumn(let name, _), .renameColumn(_, let name): name
    default: nil
    }
  }
}
