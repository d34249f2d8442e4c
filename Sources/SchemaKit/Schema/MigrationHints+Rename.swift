extension MigrationHints {
  /// Adds a rename written as `OLD=NEW`, such as `users.name=users.title` or `user=users`.
  ///
  /// - Parameter text: OLD in the names of the file, NEW in those of the declared schema.
  /// - Throws: `RenameOptionError` for a text of another form.
  package mutating func add(rename text: String) throws(RenameOptionError) {
    let tokens = (try? SQLLexer.tokens(of: text)) ?? []
    guard let equals = tokens.firstIndex(where: { $0.isSymbol("=") }),
      let old = Self.path(tokens[..<equals]), let new = Self.path(tokens[(equals + 1)...]), old.count == new.count
    else { throw RenameOptionError(text: text) }
    if new.count == 1 {
      tables[new[0], default: TableHints()].renamedFrom.append(old[0])
    } else {
      tables[new[0], default: TableHints()].columns[new[1], default: ColumnHints()].renamedFrom.append(old[1])
    }
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

/// A rename that is not of the form OLD=NEW.
package struct RenameOptionError: Error, Sendable, Equatable, CustomStringConvertible {
  package let text: String

  package var description: String {
    "\"\(text)\" is no rename; write OLD=NEW, such as users.name=users.title for a column or user=users for a table, "
      + "with unusual names in double quotes."
  }
}
