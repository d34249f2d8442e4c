extension SQLParser {
  /// Reads a CREATE TRIGGER statement from its name on.
  package mutating func createTrigger(isTemporary: Bool) throws(SQLSyntaxError) -> CreateTriggerStatement {
    try skipIfNotExists()
    let trigger = try objectName("a name for the trigger")
    let timing = triggerTiming()
    let event = try triggerEvent()
    try expect("ON")
    let table = try objectName("the table of the trigger")
    if take("FOR") {
      try expect("EACH")
      try expect("ROW")
    }
    let condition = take("WHEN") ? try triggerCondition() : nil
    try expect("BEGIN")
    let body = try triggerBody()
    return CreateTriggerStatement(
      name: trigger.name,
      nameSpan: trigger.span,
      qualifiedNameSpan: trigger.qualifiedSpan,
      isTemporary: isTemporary,
      timing: timing,
      event: event,
      table: table.name,
      tableSpan: table.span,
      qualifiedTableSpan: table.qualifiedSpan,
      condition: condition,
      body: body
    )
  }

  private mutating func triggerTiming() -> CreateTriggerStatement.Timing? {
    if take("BEFORE") { return .before }
    if take("AFTER") { return .after }
    return take("INSTEAD", "OF") ? .insteadOf : nil
  }

  private mutating func triggerEvent() throws(SQLSyntaxError) -> CreateTriggerStatement.Event {
    if take("DELETE") { return .delete }
    if take("INSERT") { return .insert }
    guard take("UPDATE") else { throw unexpected("DELETE, INSERT or UPDATE") }
    var columns: [SQLName] = []
    if take("OF") {
      repeat { columns.append(try name("a column name").name) } while take(symbol: ",")
    }
    return .update(of: columns)
  }

  /// Reads up to BEGIN, which is a name where an operand has to come.
  private mutating func triggerCondition() throws(SQLSyntaxError) -> SQLExpression {
    let first = position
    try skipBalanced(expecting: "BEGIN") { token, previous in
      token.isKeyword("BEGIN") && !Self.expectsOperand(after: previous)
    }
    guard position > first else { throw unexpected("an expression") }
    return expression(first..<position)
  }

  /// Reads up to the END that follows a semicolon: every statement of a body ends with one.
  private mutating func triggerBody() throws(SQLSyntaxError) -> SQLExpression {
    let first = position
    while position < tokens.count {
      if position > first, at("END"), tokens[position - 1].isSymbol(";") {
        defer { position += 1 }
        return expression(first..<position)
      }
      position += 1
    }
    throw unexpected("END after a semicolon")
  }
}
