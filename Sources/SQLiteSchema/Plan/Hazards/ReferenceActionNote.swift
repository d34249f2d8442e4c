import OrderedCollections

/// SK219: a DELETE or UPDATE of parents does something else to the rows that refer to them.
///
/// Applies to a foreign key of columns that are there already, where its
/// [actions](https://sqlite.org/foreignkeys.html#fk_actions) come, change or go. The rows stay as they are; SQLite acts at later
/// writes, on connections with `foreign_keys` on. It is the program that meets it, so that this is a note.
package struct ReferenceActionNote: SchemaHazardRule {
  /// The statement on the parent that SQLite acts upon.
  package enum Event: Sendable, Hashable {
    case delete, update
  }

  package var event: Event
  package var columns: [SQLName]
  package var parent: SQLName
  package var former: ForeignKeyAction
  /// The action from now on; nil if the foreign key goes.
  package var action: ForeignKeyAction?

  package static func hazards(in change: ComparedSchemas) -> [Hazard] {
    guard !change.isUndo else { return [] }
    return change.diff.changedTables.flatMap { table in
      let (old, new) = (table.from.foreignKeys, table.to.foreignKeys)
      let kept = new.filter { $0.columns.allSatisfy { table.from.column($0) != nil } }.flatMap { key in
        notes(from: old.first { $0.isSameReference(as: key) }, to: key)
      }
      let gone = old.filter { key in
        !new.contains { $0.isSameReference(as: key) } && change.target.tables[key.parent] != nil
          && key.columns.allSatisfy { table.to.column($0) != nil }
      }
      return (kept + gone.flatMap { notes(from: $0, to: nil) }).map { note in
        Hazard(
          .otherReferenceAction, table: table.to.name, column: note.columns.count == 1 ? note.columns[0] : nil,
          cause: HazardCause(note), isNote: true)
      }
    }
  }

  private static func notes(from old: ForeignKeySchema?, to new: ForeignKeySchema?) -> [ReferenceActionNote] {
    guard let key = new ?? old else { return [] }
    func note(_ event: Event, _ action: (ForeignKeySchema) -> ForeignKeyAction) -> ReferenceActionNote? {
      let (former, present) = (old.map(action) ?? .noAction, new.map(action))
      guard former.isWrite || present?.isWrite == true, former != present else { return nil }
      return ReferenceActionNote(
        event: event, columns: key.columns, parent: key.parent, former: former, action: present)
    }
    return [note(.delete, \.onDelete), note(.update, \.onUpdate)].compactMap(\.self)
  }

  package func message(for hazard: Hazard) -> String {
    let names = columns.map { "\(hazard.table).\($0)" }.joined(separator: ", ")
    let statement = event == .delete ? "a DELETE from \(parent)" : "an UPDATE of the key of \(parent)"
    let referring = "the rows that refer to it"
    switch action {
    case .cascade where event == .delete:
      return "From now on \(statement) deletes the rows of \(hazard.table) that refer to it."
    case .cascade: return "From now on \(statement) changes \(names) in \(referring)."
    case .setNull: return "From now on \(statement) sets \(names) to NULL in \(referring)."
    case .setDefault: return "From now on \(statement) sets \(names) to the default in \(referring)."
    case .noAction, .restrict, nil:
      let end = action == nil ? "they have no parent then" : "it fails while there are any"
      return "From now on \(statement) leaves the rows of \(hazard.table) that refer to it as they are: \(end)."
    }
  }

  package func remedy(for hazard: Hazard) -> Remedy? { nil }
}

extension ForeignKeySchema {
  /// True if both keys refer from the same columns to the same table.
  fileprivate func isSameReference(as other: ForeignKeySchema) -> Bool {
    columns == other.columns && parent == other.parent
  }
}

extension ForeignKeyAction {
  /// True if SQLite writes the rows that refer to a parent.
  fileprivate var isWrite: Bool {
    switch self {
    case .cascade, .setNull, .setDefault: true
    case .noAction, .restrict: false
    }
  }
}

extension HazardCode {
  /// A write of parents does something else to the rows that refer to them.
  public static let otherReferenceAction = Self("SK219", .note, "foreign key actions that change")
}
