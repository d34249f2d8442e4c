import OrderedCollections

/// SK203: a view, trigger or virtual table would not work, or already prevents SQLite from altering anything.
///
/// SQLite re-reads the whole schema when it renames something or drops a column, and refuses where a
/// [view or trigger](https://sqlite.org/lang_altertable.html#alter_table_rename) cannot be read. Blocked, where nothing
/// else is said: a note if it was so before, a declared fault if a new database would have it too. The remedy is to
/// change the object in the declared schema as well.
package enum BrokenObjectHazard: HazardWording {
  /// A virtual table reads a table, or a column of it, that gets another name or goes.
  case follower(content: SQLName, lost: SQLName)
  /// A full-text index finds the rows of its content by the name rowid, which becomes a column.
  case capturedRowID(content: SQLName)
  /// A step fails whatever the rows are; a declared expression may be the reason.
  case failingStep(kind: ObjectReference.Kind, object: SQLName, problem: String, hasExpressions: Bool)
  /// A full-text index that SQLite cannot fill.
  case unfilledIndex(problem: String)
  /// A view does not work already.
  case brokenBefore(problem: String)
  /// A view or trigger reads a dropped column in double quotes, which would then be text.
  case textForColumn(kind: ObjectReference.Kind, table: SQLName, column: SQLName)
  /// Something reads a dropped column by a name of the rowid, which it would read then.
  case rowIDForColumn(kind: ObjectReference.Kind, table: SQLName, column: SQLName)
  /// A view, a trigger, or an expression of a table has the name that a column gets for something else.
  case capturedName(kind: ObjectReference.Kind, table: SQLName, column: SQLName)
  /// A view, a trigger, or an expression of a table has the name that a column loses, and which is then that of something else.
  case lostName(kind: ObjectReference.Kind, table: SQLName, column: SQLName)
  /// A NATURAL JOIN compares one column more, or less.
  case naturalJoin(kind: ObjectReference.Kind, table: SQLName, column: SQLName, isLost: Bool)
  /// SELECT, INSERT, UPDATE or DELETE would fail; triggers may be the reason.
  case failingWrite(actions: [String], problem: String, triggers: [SQLName])
  /// Every INSERT would fail, since an expression reads the clock.
  case readsClock(problem: String, isComputedForRows: Bool)
  /// A trigger fires on a column that goes.
  case deadUpdateColumn(column: SQLName, table: SQLName)

  package func message(for hazard: Hazard) -> String {
    let name = hazard.table
    switch self {
    case .follower(let content, let lost) where lost == content:
      return "Virtual table \(name) reads \(content) by name and would no longer find it."
    case .follower(let content, let lost):
      return "Virtual table \(name) reads \(lost) of \(content) by name and would no longer find it."
    case .capturedRowID(let content):
      return
        "Virtual table \(name) finds the rows of \(content) by the name rowid, and \(content) gets a column of that name."
    case .failingStep(let kind, let object, let problem, _):
      let step = "The step for \(kind) \(object)"
      return SQLiteLimit.words(for: problem).map { "\(step) exceeds a limit of SQLite, \($0)." }
        ?? "\(step) fails: \(problem)."
    case .unfilledIndex(let problem):
      return "Full-text index \(name) cannot be filled from its content: \(problem). It is left as it is."
    case .brokenBefore(let problem):
      return "\(name) does not work already: \(problem). It is suspended during the change and restored unchanged."
    case .textForColumn(let kind, let table, let column):
      return
        "\(kind == .view ? "View" : "Trigger") \(name) reads \(table.dotted(column)) in double quotes: without the "
        + "column, that would be the text '\(column)'."
    case .rowIDForColumn(let kind, let table, let column):
      return
        "\(Self.user(kind, name)) reads \(table.dotted(column)): without the column, that would be the number of the row."
    case .capturedName(let kind, let table, let column):
      return
        "\(Self.user(kind, name)) uses the name \(column.quotedIfNeeded), which means \(table.dotted(column)) after the change and something else now."
    case .lostName(let kind, let table, let column):
      return
        "\(Self.user(kind, name)) uses the name \(column.quotedIfNeeded), which means \(table.dotted(column)) now and something else after the change."
    case .naturalJoin(let kind, let table, let column, let isLost):
      return
        "\(Self.user(kind, name)) has a NATURAL JOIN, which \(isLost ? "no longer compares" : "also compares") \(table.dotted(column)) after the change."
    case .failingWrite(let actions, let problem, _):
      let place = hazard.isDeclaredFault ? ", as in a new database with the declared schema" : ""
      return "\(Wording.list(actions)) on \(name) would fail after the change\(place): \(problem)."
    case .readsClock(let problem, _):
      let place = hazard.isDeclaredFault ? ", as in a new database with the declared schema" : ""
      return "Every INSERT into \(name) would fail after the change\(place): \(problem)."
    case .deadUpdateColumn(let column, let table):
      return "Trigger \(name) fires on UPDATE OF \(column), a column that \(table) would no longer have."
    }
  }

  package func remedy(for hazard: Hazard) -> Remedy? {
    let name = SQLName(hazard.table)
    switch self {
    case .follower:
      let advice: Remedy = "Declare \(name) anew for the new name as well, or keep the old one."
      return hazard.isDeclaredFault ? "\(advice) To have it all the same, allow it with \(consent(hazard))." : advice
    case .capturedRowID:
      return
        "Give the column another name, or name the key in content_rowid. To have it all the same, allow it with \(consent(hazard))."
    case .failingStep(_, _, let problem, _) where SQLiteLimit.words(for: problem) != nil: return SQLiteLimit.remedy
    case .failingStep(_, _, _, hasExpressions: true):
      return "Fix the conversion or fill that has this in the declared schema, or what else it depends on."
    case .rowIDForColumn(let kind, _, _):
      return
        "Change the \(kind == .table ? "expression" : kind.rawValue) in the declared schema as well. To have it all the same, allow it with \(consent(hazard))."
    case .failingStep: return "Change or drop what it depends on in the declared schema as well."
    case .unfilledIndex:
      return
        "Declare it with the names of a table and columns that are there; or fill it from a program that can, with "
        + "INSERT INTO \(name.quotedIfNeeded) (\(name.quotedIfNeeded)) VALUES ('rebuild')."
    case .brokenBefore: return "Fix or drop it."
    case .textForColumn(let kind, _, let column):
      return "Change the \(kind) in the declared schema as well; where it only names something "
        + "\(column.quoted), write the texts in it in single quotes. To have it all the same, allow it with \(consent(hazard))."
    case .naturalJoin(let kind, _, _, _):
      let advice: Remedy = "Declare the \(kind.rawValue) anew with JOIN and the columns to compare in USING."
      return "\(advice) To have it all the same, allow it with \(consent(hazard))."
    case .capturedName(let kind, _, _), .lostName(let kind, _, _):
      let first = if case .lostName = self { "Keep the name" } else { "Give the column another name" }
      let advice: Remedy =
        "\(first), or declare the \(kind == .table ? "expression" : kind.rawValue) anew: write a text in "
        + "single quotes, and put the table's name before a column."
      return "\(advice) To have it all the same, allow it with \(consent(hazard))."
    case .failingWrite(_, _, let triggers):
      let advice = Self.advice(on: triggers)
      return hazard.isDeclaredFault
        ? "\(advice) To have it all the same, allow it with \(consent(hazard))." : Remedy(advice)
    case .readsClock:
      let advice =
        "A CHECK, a generated column and an index may not depend on when they are computed. Store the time in a column "
        + "of its own with DEFAULT CURRENT_TIMESTAMP, or compare in a trigger."
      return hazard.isDeclaredFault
        ? "\(advice) To have it all the same, allow it with \(consent(hazard))." : Remedy(advice)
    case .deadUpdateColumn: return "Change or drop the trigger in the declared schema as well."
    }
  }

  private static func user(_ kind: ObjectReference.Kind, _ name: String) -> String {
    switch kind {
    case .view: "View \(name)"
    case .trigger: "Trigger \(name)"
    case .index: "Index \(name)"
    default: "An expression of \(name)"
    }
  }

  private static func advice(on triggers: [SQLName]) -> String {
    guard !triggers.isEmpty else {
      return "Change the view, trigger or foreign key behind it in the declared schema as well."
    }
    let names = triggers.map(\.quotedIfNeeded).joined(separator: ", ")
    return (triggers.count == 1 ? "Trigger \(names) fires" : "Triggers \(names) fire")
      + " then; change what no longer fits, or a foreign key behind it, in the declared schema as well."
  }
}

extension BrokenObjectHazard: SchemaHazardRule {
  /// Virtual tables that read another table by a name which that table would no longer have.
  package static func hazards(in change: ComparedSchemas) -> [Hazard] {
    capturedRowIDs(in: change) + otherMeanings(in: change)
      + change.target.virtualTables.values.flatMap { table -> [Hazard] in
        guard let before = change.source.virtualTables[table.name], before.isEquivalent(to: table) else { return [] }
        let followed = change.source.tables.values.filter { table.mentions($0.name) }
        return followed.compactMap { content in
          let name = change.renames.formerTables.first { $0.value == content.name }?.key ?? content.name
          let lost =
            change.target.tables[name] == nil || name != content.name
            ? content.name
            : content.columns.map(\.name).first { column in
              table.mentions(column) && change.target.tables[name]?.column(column) == nil
            }
          return lost.map { lost in
            var hazard = Hazard(
              .brokenObject, table: table.name,
              cause: HazardCause(BrokenObjectHazard.follower(content: content.name, lost: lost)))
            // A new database would lack the table or column, too; another table of its name would be read instead.
            hazard.isDeclaredFault = lost != content.name || !change.target.hasRelation(content.name)
            return hazard
          }
        }
      }
  }

  /// Expressions of tables and indexes that stay as they are written, and read a new column or no longer read a dropped one.
  private static func otherMeanings(in change: ComparedSchemas) -> [Hazard] {
    func hazard(_ kind: ObjectReference.Kind, _ object: SQLName, _ table: TableSchema, _ sql: CanonicalSQL) -> Hazard? {
      guard let cause = cause(kind, table, change.source.tables[change.renames.formerTable(table.name)], sql) else {
        return nil
      }
      var hazard = Hazard(.brokenObject, table: object, cause: HazardCause(cause))
      hazard.isDeclaredFault = true
      return hazard
    }
    func isOther(_ old: CanonicalSQL?, _ new: CanonicalSQL?) -> Bool {
      guard let old, let new, old != new else { return false }
      return old.hasSameWords(as: new)
    }
    let tables = change.diff.changedTables.flatMap { table -> [Hazard] in
      let checks = table.addedChecks.map(\.expression).filter { new in
        table.droppedChecks.contains { isOther($0.expression, new) }
      }
      let computed = table.changedColumns.filter {
        isOther($0.from.generation?.expression, $0.to.generation?.expression)
      }.compactMap(\.to.generation?.expression)
      return (checks + computed).prefix(1).compactMap { hazard(.table, table.to.name, table.to, $0) }
    }
    let indexes = change.diff.indexes.compactMap { index -> Hazard? in
      guard case .changed(let old, let new) = index, let table = change.target.tables[new.table] else { return nil }
      let pairs = [(old.predicate, new.predicate)] + zip(old.terms, new.terms).map { ($0.expression, $1.expression) }
      let other = pairs.first { isOther($0.0, $0.1) }.flatMap(\.1)
      return other.flatMap { hazard(.index, new.name, table, $0) }
    }
    return tables + indexes
  }

  /// The cause of another meaning of an expression; nil if it has no name that its table gets or loses.
  private static func cause(
    _ kind: ObjectReference.Kind, _ table: TableSchema, _ former: TableSchema?, _ sql: CanonicalSQL
  ) -> BrokenObjectHazard? {
    if let new = table.columns.map(\.name).first(where: { former?.column($0) == nil && sql.mentions($0) }) {
      return .capturedName(kind: kind, table: table.name, column: new)
    }
    if table.isWithoutRowID, former?.isWithoutRowID == false,
      let name = SQLName.namesOfRowID.first(where: { table.column($0) == nil && sql.mentions($0) })
    {
      return .lostName(kind: kind, table: table.name, column: name)
    }
    guard let lost = former?.columns.map(\.name).first(where: { table.column($0) == nil && sql.mentions($0) }) else {
      return nil
    }
    return lost.isNameOfRowID && !table.isWithoutRowID
      ? .rowIDForColumn(kind: kind, table: table.name, column: lost)
      : .lostName(kind: kind, table: table.name, column: lost)
  }

  /// Full-text indexes over a table without a name for the rows, which gets a column called rowid.
  private static func capturedRowIDs(in change: ComparedSchemas) -> [Hazard] {
    change.target.virtualTables.values.compactMap { table in
      guard let index = table.fullTextIndex, index.rowID == nil, let content = change.target.tables[index.content],
        content.column("rowid") != nil, content.rowIDAlias?.name != "rowid"
      else { return nil }
      let former = change.source.tables[change.renames.formerTable(index.content)]
      guard former?.column("rowid") == nil else { return nil }
      var hazard = Hazard(
        .brokenObject, table: table.name, cause: HazardCause(BrokenObjectHazard.capturedRowID(content: index.content)))
      hazard.isDeclaredFault = true
      return hazard
    }
  }
}

extension CanonicalSQL {
  /// True if two pieces differ in nothing but spaces, comments and the case of their words.
  fileprivate func hasSameWords(as other: CanonicalSQL) -> Bool {
    guard text != other.text else { return true }
    guard let own = try? SQLLexer.tokens(of: text), let others = try? SQLLexer.tokens(of: other.text) else {
      return false
    }
    return own.count == others.count
      && zip(own, others).allSatisfy { $0.kind == .word ? $0.name == $1.name : $0.text == $1.text }
  }
}

extension HazardCode {
  /// A view or trigger would not work, or already prevents SQLite from altering anything.
  public static let brokenObject = Self("SK203", .blocked, "a broken view or trigger")
  /// The schema contains a string literal in double quotes.
  public static let doubleQuotedText = Self("SK208", .note, "text in double quotes")
}

extension Hazard {
  /// True if an object still works after the change, and something in it means something else.
  package var isOfMeaning: Bool {
    switch cause.wording as? BrokenObjectHazard {
    case .textForColumn, .rowIDForColumn, .capturedName, .lostName, .naturalJoin: true
    default: false
    }
  }
}
