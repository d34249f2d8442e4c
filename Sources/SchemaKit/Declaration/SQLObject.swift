/// A table, index, view, trigger or virtual table given as its CREATE statement, for what no model can express.
///
/// ```swift
/// SQLObject("CREATE TABLE visits (page TEXT, day TEXT, PRIMARY KEY (page, day DESC)) WITHOUT ROWID")
/// ```
///
/// The object belongs to the schema like any other, but it has no records.
public struct SQLObject: Sendable, Hashable {
  let sql: String

  /// Declares an object by its statement.
  public init(_ sql: String) { self.sql = sql }

  /// The statement, and what it creates.
  ///
  /// - Throws: ``DeclarationError`` if the text is not such a statement, or creates a temporary object.
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
