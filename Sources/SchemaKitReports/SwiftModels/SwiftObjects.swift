import SchemaKit

/// Views, triggers, virtual tables, and whatever stands as SQL, as elements of a schema in Swift.
enum SwiftObjects {
  static func view(_ view: ViewSchema, indent: Int) -> String {
    guard case .view(let statement)? = try? SQLParser.create(view.sql), !view.name.text.isEmpty else {
      return object(view.sql, indent: indent)
    }
    var arguments: [(label: String?, value: SwiftText.Value)] = [(nil, .name(view.name.text))]
    if let columns = statement.columns {
      arguments.append(("columns", .code(SwiftText.array(columns.map(\.text)))))
    }
    return SwiftText.call("SQLView", arguments + [("sql", .text(statement.body.text))], indent: indent)
  }

  static func virtualTable(_ table: VirtualTableSchema, indent: Int) -> String {
    guard !table.name.text.isEmpty, !table.module.text.isEmpty else { return object(table.sql, indent: indent) }
    let arguments = table.arguments.map { (label: String?.none, value: SwiftText.Value.text($0)) }
    return SwiftText.call(
      "VirtualTable", [(nil, .name(table.name.text)), ("using", .name(table.module.text))] + arguments, indent: indent)
  }

  /// - Parameter isNested: True if it is declared in its table, which is then not named.
  static func trigger(_ trigger: TriggerSchema, isNested: Bool, indent: Int) -> String {
    // A comment could swallow what is put behind the body.
    let hasComments = trigger.sql.contains("--") || trigger.sql.contains("/*")
    guard !hasComments, !trigger.name.text.isEmpty, case .trigger(let statement)? = try? SQLParser.create(trigger.sql)
    else { return SwiftText.call("Trigger", [("sql", .text(trigger.sql))], indent: indent) }
    var arguments: [(label: String?, value: SwiftText.Value)] = [(nil, .name(trigger.name.text))]
    switch statement.timing ?? .before {
    case .before: arguments.append((nil, .code(".before")))
    case .after: arguments.append((nil, .code(".after")))
    case .insteadOf: arguments.append((nil, .code(".insteadOf")))
    }
    switch statement.event {
    case .delete: arguments.append((nil, .code(".delete")))
    case .insert: arguments.append((nil, .code(".insert")))
    case .update(let columns) where columns.isEmpty: arguments.append((nil, .code(".update")))
    case .update(let columns):
      let names = columns.map { SwiftText.literal($0.text) }.joined(separator: ", ")
      arguments.append((nil, .code(".update(of: \(names))")))
    }
    if !isNested { arguments.append(("on", .name(trigger.table.text))) }
    if let condition = statement.condition { arguments.append(("when", .text(condition.text))) }
    arguments.append(("body", .text(statement.body.text)))
    return SwiftText.call("Trigger", arguments, indent: indent)
  }

  /// An object by its statement.
  static func object(_ sql: String, indent: Int) -> String {
    SwiftText.call("SQLObject", [(nil, .text(sql))], indent: indent)
  }
}
