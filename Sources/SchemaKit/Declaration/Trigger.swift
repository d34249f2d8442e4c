/// A trigger, in SQL.
///
/// ```swift
/// Trigger(
///   "notes_touch", .after, .update(of: "title"),
///   body: "UPDATE notes SET modified = unixepoch() WHERE id = new.id")
/// ```
public struct Trigger: Sendable, Hashable {
  /// True if a trigger runs before, after or instead of the change.
  public enum Timing: String, Sendable, Hashable {
    /// Before the row is changed.
    case before = "BEFORE"
    /// After the row is changed.
    case after = "AFTER"
    /// Instead of the change; for views.
    case insteadOf = "INSTEAD OF"
  }

  /// The change that fires a trigger.
  public struct Event: Sendable, Hashable {
    let sql: String

    /// A row is inserted.
    public static let insert = Event(sql: "INSERT")
    /// A row is deleted.
    public static let delete = Event(sql: "DELETE")
    /// A row is updated.
    public static let update = Event(sql: "UPDATE")

    /// One of the named columns is updated.
    public static func update(of columns: String...) -> Event { update(of: columns) }

    static func update(of columns: [String]) -> Event {
      Event(sql: "UPDATE OF " + columns.map(SQLQuoting.identifier).joined(separator: ", "))
    }
  }

  enum Source: Sendable, Hashable {
    case sql(String)
    case parts(name: String, timing: Timing, event: Event, table: String?, condition: String?, body: String)
  }

  let source: Source

  /// Declares a trigger by its complete CREATE TRIGGER statement.
  public init(sql: String) { source = .sql(sql) }

  /// Declares a trigger by its parts.
  ///
  /// - Parameters:
  ///   - name: The name in the database.
  ///   - timing: When it runs.
  ///   - event: The change that fires it.
  ///   - table: The table or view; inside a ``ModelTable``, that table if omitted.
  ///   - condition: An SQL expression that must be true for it to fire.
  ///   - body: The statements between BEGIN and END.
  public init(
    _ name: String,
    _ timing: Timing,
    _ event: Event,
    on table: String? = nil,
    when condition: String? = nil,
    body: String
  ) {
    source = .parts(name: name, timing: timing, event: event, table: table, condition: condition, body: body)
  }
}

extension Trigger {
  /// The name, if the trigger was declared by its parts.
  var name: String? { if case .parts(let name, _, _, _, _, _) = source { name } else { nil } }

  /// The statement that creates it on its table or on the one it is declared in; nil if there is neither.
  func statement(in owner: String?) -> DeclaredStatement? {
    switch source {
    case .sql(let sql):
      return DeclaredStatement(sql: sql.withoutTerminator, table: owner.map { SQLName($0) })
    case .parts(let name, let timing, let event, let table, let condition, let body):
      guard let table = table ?? owner else { return nil }
      var lines = ["CREATE TRIGGER \(SQLQuoting.identifier(name))"]
      lines.append("\(timing.rawValue) \(event.sql) ON \(SQLQuoting.identifier(table))")
      if let condition { lines.append("WHEN \(condition)") }
      lines += ["BEGIN", "  \(body.withoutTerminator);", "END"]
      return DeclaredStatement(sql: lines.joined(separator: "\n"), table: SQLName(table))
    }
  }
}

extension String {
  /// The SQL text without surrounding white space and without trailing semicolons.
  var withoutTerminator: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while let last = text.last, last.isWhitespace || last == ";" { text.removeLast() }
    return String(text)
  }
}

/// Collects the triggers in a builder's braces.
@resultBuilder
public enum TriggerBuilder {
  public static func buildExpression(_ trigger: Trigger) -> Trigger { trigger }
  public static func buildBlock(_ triggers: Trigger...) -> [Trigger] { triggers }
}
