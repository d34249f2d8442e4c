/// A rename written as `OLD=NEW`, such as `users.name=users.title` or `user=users`.
package struct RenameOption: Sendable, Hashable {
  /// The table, by its name in the file.
  package var oldTable: SQLName
  /// The column, by its name in the file; nil if a table is renamed.
  package var oldColumn: SQLName?
  /// The table, by its declared name.
  package var newTable: SQLName
  /// The column, by its declared name; nil if a table is renamed.
  package var newColumn: SQLName?

  /// Parses a rename.
  ///
  /// - Throws: `RenameOptionError` for a text in another format.
  package init(_ text: String) throws(RenameOptionError) {
    let tokens = (try? SQLLexer.tokens(of: text)) ?? []
    guard let equals = tokens.firstIndex(where: { $0.isSymbol("=") }),
      let old = Self.path(tokens[..<equals]), let new = Self.path(tokens[(equals + 1)...]), old.count == new.count
    else { throw RenameOptionError(text: text) }
    oldTable = old[0]
    newTable = new[0]
    oldColumn = old.count == 2 ? old[1] : nil
    newColumn = new.count == 2 ? new[1] : nil
  }

  package init(oldTable: SQLName, oldColumn: SQLName?, newTable: SQLName, newColumn: SQLName?) {
    self.oldTable = oldTable
    self.oldColumn = oldColumn
    self.newTable = newTable
    self.newColumn = newColumn
  }

  /// The rename as written: `users.name=users.title`.
  package var text: String {
    func path(_ table: SQLName, _ column: SQLName?) -> String {
      table.quotedIfNeeded + (column.map { ".\($0.quotedIfNeeded)" } ?? "")
    }
    return "\(path(oldTable, oldColumn))=\(path(newTable, newColumn))"
  }

  /// Where the rename can stay in a SQL schema, as text.
  package var hint: String {
    if let oldColumn, let newColumn {
      return "\"-- schemakit: renamed from \(oldColumn.quotedIfNeeded)\" on the line of \(newColumn)"
    }
    return "\"-- schemakit: renamed from \(oldTable.quotedIfNeeded)\" on the CREATE TABLE line of \(newTable)"
  }

  private static func path(_ tokens: ArraySlice<SQLToken>) -> [SQLName]? {
    let tokens = Array(tokens)
    switch tokens.count {
    case 1: return tokens[0].name.map { [$0] }
    case 3 where tokens[1].isSymbol("."):
      guard let table = tokens[0].name, let column = tokens[2].name else { return nil }
      return [table, column]
    default: return nil
    }
  }
}

extension MigrationHints {
  /// Adds a rename written as `OLD=NEW`.
  package mutating func add(rename text: String) throws(RenameOptionError) { add(try RenameOption(text)) }

  /// Adds a rename as a hint of its declared table or column.
  package mutating func add(_ rename: RenameOption) {
    if let oldColumn = rename.oldColumn, let newColumn = rename.newColumn {
      tables[rename.newTable, default: TableHints()].columns[newColumn, default: ColumnHints()].renamedFrom.append(
        oldColumn)
    } else {
      tables[rename.newTable, default: TableHints()].renamedFrom.append(rename.oldTable)
    }
  }
}

/// A rename that is not in the form OLD=NEW.
package struct RenameOptionError: Error, Sendable, Hashable {
  package let text: String
}
