import SchemaKit

extension SwiftTable {
  /// The surroundings from which the source of a model is generated, apart from its table.
  struct Surroundings {
    /// The tables that are models, by name.
    var models: [SQLName: SwiftTable]
    var indexes: [IndexSchema]
    var triggers: [TriggerSchema]
    var hints: TableHints?
  }

  /// The model as Swift.
  func source(among surroundings: Surroundings) -> String {
    var writer = SwiftModelWriter(table: self, surroundings: surroundings)
    return writer.source()
  }
}

/// Writes the source of one model.
struct SwiftModelWriter {
  let table: SwiftTable
  let surroundings: SwiftTable.Surroundings
  /// The constraints after the columns, filled while these are written.
  var constraints: [String] = []
  /// The features that the source leaves out, one sentence each.
  var remarks: [String] = []
  private var constraintNames: Set<SQLName> = []

  init(table: SwiftTable, surroundings: SwiftTable.Surroundings) {
    self.table = table
    self.surroundings = surroundings
  }

  mutating func source() -> String {
    let columns = table.columns.map { column in
      (column, SwiftText.chain(self.column(column), indent: 4))
    }
    for constraint in table.statement.constraints { add(constraint) }
    var lines = ["/// A row of the table `\(SwiftText.comment(table.schema.name.text))`."]
    if !remarks.isEmpty { lines.append("///") }
    lines += remarks.map { "/// " + SwiftText.comment($0) }
    lines.append("struct \(table.type): Model {")
    lines += table.columns.map { column in
      "  \(column.isConstant ? "let" : "var") \(column.property): \(column.type)\(column.isOptional ? "?" : "")"
    }
    let removed = (surroundings.hints?.removedColumns ?? []).sorted().map(\.text)
    var head = [(label: String?.none, value: SwiftText.Value.name(table.schema.name.text))]
    head.append((label: "as", value: .code("Self.init")))
    if !removed.isEmpty { head.append((label: "removed", value: .code(SwiftText.array(removed)))) }
    lines += ["", "  static let table = " + SwiftText.call("ModelTable", head, indent: 2) + " {"]
    lines += columns.map { "    " + $0.1 }
    for (name, pieces) in [("constraints", constraints), ("indexes", indexes), ("triggers", triggers)]
    where !pieces.isEmpty {
      lines.append("  } \(name): {")
      lines += pieces.map { "    " + $0 }
    }
    lines.append("  }")
    let options = self.options
    if !options.isEmpty { lines.append("  " + options.joined()) }
    lines.append("}")
    return lines.joined(separator: "\n") + "\n"
  }

  private var options: [String] {
    var options: [String] = []
    if table.schema.isStrict { options.append(".strict()") }
    if table.schema.isWithoutRowID { options.append(".withoutRowID()") }
    if let former = surroundings.hints?.renamedFrom, !former.isEmpty { options.append(Self.renamed(from: former)) }
    return options
  }

  private var triggers: [String] {
    surroundings.triggers.map { SwiftObjects.trigger($0, isNested: true, indent: 4) }
  }

  private static func renamed(from names: [SQLName]) -> String {
    SwiftText.call(".renamed", names.enumerated().map { ($0 == 0 ? "from" : nil, .name($1.text)) }, indent: 6)
  }

  /// The name of a constraint, as an argument; none where another constraint has it already.
  mutating func named(_ name: SQLName?) -> [(label: String?, value: SwiftText.Value)] {
    guard let name, !name.text.isEmpty else { return [] }
    guard constraintNames.insert(name).inserted else {
      remarks.append("A second constraint named \(name) has no name here.")
      return []
    }
    return [(label: "named", value: .name(name.text))]
  }
}

// MARK: - Columns

extension SwiftModelWriter {
  /// The declaration of a column, method by method.
  private mutating func column(_ column: SwiftColumn) -> [String] {
    var pieces = [
      SwiftText.call(
        "Column", [(nil, .name(column.schema.name.text)), (nil, .code("\\.\(column.property)"))], indent: 4)
    ]
    if let type = column.exactType { pieces.append(call(".type", [(nil, .name(type))])) }
    if column.isOptional, column.schema.isNotNull, table.schema.rowIDAlias?.name != column.schema.name {
      pieces.append(".notNull()")
    } else if let conflict = column.schema.notNullConflict, table.schema.rowIDAlias?.name != column.schema.name {
      pieces.append(".notNull(onConflict: .\(conflict.rawValue.lowercased()))")
    }
    pieces += key(of: column)
    if let value = column.schema.defaultValue { pieces.append(call(".default", [Self.argument(value, of: column)])) }
    if let collation = column.schema.collation { pieces.append(".collate(\(Self.collation(collation)))") }
    pieces += constraints(of: column)
    if let generation = column.schema.generation {
      let kind: [(label: String?, value: SwiftText.Value)] = generation.isStored ? [(nil, .code(".stored"))] : []
      pieces.append(call(".generated", [(nil, .text(generation.expression.text))] + kind))
    }
    return pieces + hints(of: column)
  }

  func call(_ name: String, _ arguments: [(label: String?, value: SwiftText.Value)]) -> String {
    SwiftText.call(name, arguments, indent: 6)
  }

  private mutating func hints(of column: SwiftColumn) -> [String] {
    guard let hints = surroundings.hints?.columns[column.schema.name] else { return [] }
    var pieces: [String] = []
    if !hints.renamedFrom.isEmpty { pieces.append(Self.renamed(from: hints.renamedFrom)) }
    for (method, sql) in [(".backfill", hints.backfill), (".converting", hints.conversion)] {
      guard let sql else { continue }
      if sql.contains(ColumnHints.functionPrefix) {
        remarks.append("A function in Swift that computes \(column.schema.name) is left out.")
      } else {
        pieces.append(call(method, [("sql", .text(sql))]))
      }
    }
    return pieces
  }

  /// The column's own PRIMARY KEY, or that of the table where it is of this column alone and has no name.
  private mutating func key(of column: SwiftColumn) -> [String] {
    guard let key = table.schema.primaryKey, isKeyOfColumn, key.columns[0].name == column.schema.name else { return [] }
    if let name = keyName { remarks.append("The name \(name) of the primary key is left out.") }
    var arguments: [(label: String?, value: SwiftText.Value)] = []
    if key.isAutoincrement { arguments.append(("autoincrement", .code("true"))) }
    if key.columns[0].isDescending { arguments.append(("order", .code(".descending"))) }
    if let conflict = key.conflict { arguments.append(("onConflict", .code(".\(conflict.rawValue.lowercased())"))) }
    return [call(".primaryKey", arguments)]
  }

  /// True if the primary key is said of its column: where that is the only one, and the key has no name or must stand there.
  var isKeyOfColumn: Bool {
    guard let key = table.schema.primaryKey, key.columns.count == 1 else { return false }
    return keyName == nil || key.isAutoincrement || key.columns[0].isDescending
  }

  /// The declared name of the primary key.
  private var keyName: SQLName? {
    for column in table.statement.columns {
      for constraint in column.constraints { if case .primaryKey = constraint.kind { return constraint.name } }
    }
    for constraint in table.statement.constraints { if case .primaryKey = constraint.kind { return constraint.name } }
    return nil
  }

  /// The column's UNIQUE, CHECK and REFERENCES; what a column can have once only goes behind the columns.
  private mutating func constraints(of column: SwiftColumn) -> [String] {
    var pieces: [String] = []
    var hasUnique = false
    var hasReference = false
    for constraint in column.definition.constraints {
      switch constraint.kind {
      case .primaryKey(_, let conflict, _):
        if !isKeyOfColumn { addKey([column.schema.name], conflict, constraint.name) }
      case .unique(let conflict) where hasUnique:
        addUnique([column.schema.name], conflict, constraint.name)
      case .unique(let conflict):
        hasUnique = true
        pieces.append(call(".unique", Self.onConflict(conflict) + named(constraint.name)))
      case .check(let expression, _):
        pieces.append(call(".check", [(nil, .text(Self.bare(expression)))] + named(constraint.name)))
      case .references(let clause) where hasReference:
        addForeignKey([column.schema.name], clause, constraint.name)
      case .references(let clause):
        hasReference = true
        pieces.append(call(".references", reference(clause, of: column.schema.name) + named(constraint.name)))
      case .notNull, .null, .defaultValue, .collate, .generated:
        if let name = constraint.name {
          remarks.append("The name \(name) of a constraint of \(column.schema.name) is left out.")
        }
      }
    }
    return pieces
  }

  static func onConflict(_ conflict: ConflictClause?) -> [(label: String?, value: SwiftText.Value)] {
    guard let conflict, conflict != .abort else { return [] }
    return [(label: "onConflict", value: .code(".\(conflict.rawValue.lowercased())"))]
  }

  static func collation(_ name: SQLName) -> String {
    switch name {
    case "NOCASE": ".nocase"
    case "RTRIM": ".rtrim"
    case "BINARY": ".binary"
    default: SwiftText.literal(name.text)
    }
  }

  /// A default as a Swift value if that is equivalent, and as SQL otherwise.
  private static func argument(
    _ value: ColumnSchema.DefaultValue, of column: SwiftColumn
  ) -> (label: String?, value: SwiftText.Value) {
    // The canonical form has told apart what is a text and what is a name.
    let key = value.value.key
    switch column.type {
    case "Int64":
      if let number = Int64(key), String(number) == key { return (nil, .code(key)) }
    case "Bool":
      if key == "0" || key == "1" { return (nil, .code(key == "1" ? "true" : "false")) }
    case "Double":
      if let number = Double(key), number.isFinite, "\(number)" == key { return (nil, .code(key)) }
    case "String":
      if let text = text(of: value) { return (nil, .text(text)) }
    default: break
    }
    return ("sql", .text(text(of: value).map(SQLQuoting.literal) ?? bare(value.value.text)))
  }

  /// An expression without the parentheses around it, which its method puts there again.
  static func bare(_ expression: SQLExpression) -> String { bare(expression.text) }

  private static func bare(_ text: String) -> String {
    guard let tokens = try? SQLLexer.tokens(of: text), tokens.count > 2, tokens[0].isSymbol("("),
      SQLToken.closers(in: tokens[...])[0] == tokens.count - 1
    else { return text }
    return SQLEditing.text(at: Span(start: tokens[1].span.start, end: tokens[tokens.count - 2].span.end), in: text)
  }

  /// The text of a default; nil if it is not text.
  private static func text(of value: ColumnSchema.DefaultValue) -> String? {
    guard value.isConstant, let tokens = try? SQLLexer.tokens(of: value.value.key), tokens.count == 1,
      tokens[0].kind == .string
    else { return nil }
    return tokens[0].unquotedText
  }
}
