/// The end of a `structure.sql` of Rails, which inserts the versions of the migrations that made the schema. dbmate ends its
/// `schema.sql` with the same statement.
///
/// See [Schema Files](https://guides.rubyonrails.org/active_record_migrations.html#schema-dumping-and-you).
enum RailsStructure {
  /// Returns how many versions a statement inserts; nil for any other statement.
  static func versions(in statement: ScriptStatement) -> Int? {
    let tokens = statement.tokens
    guard tokens.count > 9, tokens[0].isKeyword("INSERT"), tokens[1].isKeyword("INTO"),
      tokens[2].name == "schema_migrations", tokens[3].isSymbol("("), tokens[4].name == "version",
      tokens[5].isSymbol(")"),
      tokens[6].isKeyword("VALUES")
    else { return nil }
    let rows = tokens[7...]
    let isOfRows = rows.enumerated().allSatisfy { place, token in
      switch place % 4 {
      case 0: token.isSymbol("(")
      case 1: token.text.hasPrefix("'")
      case 2: token.isSymbol(")")
      default: token.isSymbol(",")
      }
    }
    return isOfRows && rows.count % 4 == 3 ? (rows.count + 1) / 4 : nil
  }

  /// Returns the note on a statement that inserts versions; nil for any other statement.
  static func note(on statement: ScriptStatement, source: String) -> String? {
    guard let count = versions(in: statement) else { return nil }
    return
      "\(source):\(statement.line): \(Wording.counted(count, "version")) of schema_migrations left out; only the schema is "
      + "read. A file that apply makes or changes lacks them, and Rails or dbmate would run those migrations again: insert them "
      + "with INSERT OR IGNORE."
  }
}
