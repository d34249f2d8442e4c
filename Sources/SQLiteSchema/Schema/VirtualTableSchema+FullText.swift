extension VirtualTableSchema {
  /// The table or view whose text a full-text index covers; nil for any other virtual table, and for one that holds its
  /// text itself or none at all.
  ///
  /// See [External Content Tables](https://sqlite.org/fts5.html#external_content_tables) and
  /// [FTS4](https://sqlite.org/fts3.html#_external_content_fts4_tables_).
  package var externalContent: SQLName? { content.flatMap { $0.text.isEmpty ? nil : $0 } }

  /// True if the table neither stores text nor reads it from elsewhere.
  package var isContentless: Bool { content?.text.isEmpty ?? false }

  /// The value of `content=`; nil if it is not given.
  private var content: SQLName? { fullTextOptions["content"].map { $0.count == 1 ? $0[0].name ?? "" : "" } }

  /// The full-text index over another table that this is; nil for any other virtual table.
  package var fullTextIndex: FullTextIndex? { FullTextIndex(self) }

  /// The table in which a full-text index lists the rows that it knows, with the column that has their numbers; nil where
  /// there is none.
  ///
  /// See [the shadow tables of FTS5](https://sqlite.org/fts5.html#fts5_data_structures) and
  /// [of FTS4](https://sqlite.org/fts3.html#_shadow_tables_).
  package var rowList: FullTextIndex.RowList? {
    let options = fullTextOptions
    let table = SQLName("\(name.text)_docsize")
    switch module.folded {
    case "fts5":
      guard options["columnsize"]?.first?.unquotedText != "0" else { return nil }
      return FullTextIndex.RowList(table: table, key: "id")
    case "fts4":
      guard options["matchinfo"] == nil else { return nil }
      return FullTextIndex.RowList(table: table, key: "docid")
    default: return nil
    }
  }

  /// The options of a full-text index with the tokens behind their `=`, by their names in small letters; the last one where
  /// several have the same name.
  fileprivate var fullTextOptions: [String: [SQLToken]] {
    Dictionary(fullTextArguments.compactMap(\.option), uniquingKeysWith: { $1 })
  }

  fileprivate var fullTextArguments: [FullTextArgument] {
    guard ["fts5", "fts4"].contains(module.folded) else { return [] }
    return arguments.compactMap { argument in
      guard let tokens = try? SQLLexer.tokens(of: argument), let name = tokens.first?.name else { return nil }
      let isOption = tokens.count > 1 && tokens[1].isSymbol("=")
      return isOption ? .option(name, Array(tokens.dropFirst(2))) : .column(name, Array(tokens.dropFirst()))
    }
  }
}

/// An argument in the declaration of a full-text index: an option or a column.
private enum FullTextArgument {
  case option(SQLName, [SQLToken])
  case column(SQLName, [SQLToken])

  var option: (String, [SQLToken])? {
    if case .option(let name, let value) = self { (name.folded, value) } else { nil }
  }
}

/// A full-text index over the texts of another table or view, as its declaration says.
package struct FullTextIndex: Sendable, Hashable {
  package struct Column: Sendable, Hashable {
    package var name: SQLName
    /// True if its words are found.
    package var isIndexed: Bool
  }

  /// Where an index lists the rows that it knows.
  package struct RowList: Sendable, Hashable {
    package var table: SQLName
    package var key: SQLName
  }

  package let name: SQLName
  package let content: SQLName
  /// The column of the content that has the numbers of the rows; nil for the rowid.
  package let rowID: SQLName?
  /// The columns in order; none where FTS4 takes all columns of the content.
  package let columns: [Column]
  /// The other properties that decide how it stores words: the module, the tokenizer and the like.
  package let form: [String]
  package let rowList: RowList?

  fileprivate init?(_ table: VirtualTableSchema) {
    guard let content = table.externalContent else { return nil }
    name = table.name
    self.content = content
    let arguments = table.fullTextArguments
    rowID = table.fullTextOptions["content_rowid"]?.first?.name
    let unfound = arguments.compactMap(\.option).filter { $0.0 == "notindexed" }.compactMap { $0.1.first?.name }
    columns = arguments.compactMap { argument in
      guard case .column(let name, let rest) = argument else { return nil }
      return Column(name: name, isIndexed: !unfound.contains(name) && !rest.contains { $0.isKeyword("UNINDEXED") })
    }
    let options = arguments.compactMap(\.option).filter {
      !["content", "content_rowid", "notindexed"].contains($0.0)
    }
    form = [table.module.folded] + options.map { "\($0.0)=\($0.1.map(\.unquotedText).joined(separator: " "))" }.sorted()
    rowList = table.rowList
  }

  /// The names by which any table calls its rowid, and those of full-text indexes.
  package static let rowIDNames: Set<SQLName> = ["rowid", "oid", "_rowid_", "docid"]
}
