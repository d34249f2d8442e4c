/// A table, index, view, trigger or virtual table by its CREATE statement, for what no model can say.
///
/// ```swift
/// SQLObject("CREATE TABLE visits (page TEXT, day TEXT, PRIMARY KEY (page, day DESC)) WITHOUT ROWID")
/// ```
///
/// The object belongs to the schema like any other, but there are no records of it.
public struct SQLObject: Sendable, Hashable {
  let sql: String

  /// Declares an object by its statement.
  public init(_ sql: String) { self.sql = sql }

  /// The statement, and what it creates.
  ///
  /// - Throws: ``DeclarationError`` when the text is no such statement, or one of a temporary object.
  func parsed() throws(DeclarationError) -> (statement: DeclaredStatement, object: CreateStatement) {
    let text = sql.withoutTerminator
    let object: CreateStatement
    do {
      object = try SQLParser.create(text)
    } catch {
      throw DeclarationError(.notAnObject(problem: error.message))
    }
    guard !object.isTemporary else { throw DeclarationError(.temporaryObject(object.name.text)) }
    return (DeclaredStatement(sql: text, table: object.table), object)
  }
}
