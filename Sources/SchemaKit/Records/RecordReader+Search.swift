/// The words that a full-text search looks for.
public struct SearchText: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The FTS5 query; nil if the text has no words.
  let query: String?

  /// All words of a text that somebody typed, in any order; punctuation and operators have no meaning.
  public static func words(_ text: String) -> SearchText { SearchText(words: text) { $0 } }

  /// Words that begin with each word of a text, for a search while somebody types.
  public static func prefixes(_ text: String) -> SearchText { SearchText(words: text) { "\($0) *" } }

  /// The words of a text one after the other.
  public static func phrase(_ text: String) -> SearchText {
    let words = Self.parts(of: text)
    return SearchText(query: words.isEmpty ? nil : Self.quoted(words.joined(separator: " ")))
  }

  /// A query in the [syntax of FTS5](https://sqlite.org/fts5.html#full_text_query_syntax), as a literal is; a mistake in it is an
  /// error.
  public static func query(_ text: String) -> SearchText { SearchText(query: parts(of: text).isEmpty ? nil : text) }

  public init(stringLiteral query: String) { self = .query(query) }

  private init(query: String?) { self.query = query }

  private init(words text: String, _ term: (String) -> String) {
    let terms = Self.parts(of: text).map { term(Self.quoted(String($0))) }
    query = terms.isEmpty ? nil : terms.joined(separator: " ")
  }

  private static func parts(of text: String) -> [Substring] { text.split { $0.isWhitespace || $0 == "\0" } }

  private static func quoted(_ words: String) -> String {
    "\"\(words.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
  }
}

/// The row of a full-text index that a search found: its rank, and its texts with the words marked.
///
/// It exists inside the closures of a search, beside the fields of the model.
public struct SearchMatch<Root: Model> {
  fileprivate let index: SearchedIndex
  fileprivate let scope: FieldScope

  /// The [rank](https://sqlite.org/fts5.html#the_bm25_function), the least for the best match.
  public var rank: Field<Double> { Field(SQL(raw: "\(index.name).rank")) }

  /// The rank with another weight for the words of some properties; others have 1.
  public func rank(weighing weights: [PartialKeyPath<Root>: Double]) -> Field<Double> {
    var all = Array(repeating: 1.0, count: index.columns.count)
    for (path, weight) in weights {
      guard let place = place(of: path) else { return Field(missing(path)) }
      guard weight.isFinite else { return Field(SQL(flaw: .weight(weight, column: index.columns[place].text))) }
      all[place] = weight
    }
    return Field(SQL(raw: "bm25(\(index.name)\(all.map { _ in ", ?" }.joined()))", stored: all.map(SQLValue.real)))
  }

  /// The text of a property with the words that were found between two marks.
  public func highlight(
    _ path: any PartialKeyPath<Root> & Sendable, from start: String = "<b>", to end: String = "</b>"
  ) -> Field<String> {
    field("highlight", path, [start, end].map(SQLValue.text))
  }

  /// The part of a property's text that has most of the words, which are between two marks.
  ///
  /// - Parameter tokens: The greatest number of words, 64 at most.
  public func snippet(
    _ path: any PartialKeyPath<Root> & Sendable, from start: String = "<b>", to end: String = "</b>",
    ellipsis: String = "…", tokens: Int = 16
  ) -> Field<String> {
    guard 1...64 ~= tokens else { return Field(SQL(flaw: .count("number of words", tokens, least: 1))) }
    return field("snippet", path, [start, end, ellipsis].map(SQLValue.text) + [.integer(Int64(tokens))])
  }

  private func field(_ function: String, _ path: AnyKeyPath, _ arguments: [SQLValue]) -> Field<String> {
    guard let place = place(of: path) else { return Field(missing(path)) }
    let marks = arguments.map { _ in ", ?" }.joined()
    return Field(
      SQL(raw: "coalesce(\(function)(\(index.name), \(place)\(marks)), '')", stored: arguments), isNeverNull: true)
  }

  private func place(of path: AnyKeyPath) -> Int? {
    scope.shape.index(at: path).flatMap { index.columns.firstIndex(of: SQLName(scope.shape.columns[$0].name)) }
  }

  private func missing(_ path: AnyKeyPath) -> SQL {
    let name = scope.shape.index(at: path).map { scope.shape.columns[$0].name } ?? "\(path)"
    return SQL(flaw: .notSearched(column: name, index: index.name))
  }
}

/// A full-text index that a search reads.
private struct SearchedIndex {
  /// The name, quoted.
  var name: String
  var columns: [SQLName]
}

extension RecordReader {
  /// Fetches the objects whose texts have some words, the best match first.
  ///
  /// ```swift
  /// let notes = try session.search(Note.self, .words(typed), in: "note_search", limit: 50)
  /// ```
  ///
  /// The index is declared beside the model, as `VirtualTable("note_search", .fts5, of: Note.self, \.title, \.text)`. Without any
  /// word nothing is found.
  ///
  /// *Cost:* the entries of these words in the index, and a row of the table for each object that is found.
  ///
  /// - Parameters:
  ///   - text: The words: `.words`, `.prefixes` or `.phrase` of what somebody typed, or a query as a literal.
  ///   - index: The name of the FTS5 table.
  ///   - filter: A further condition for the objects.
  ///   - orderings: The terms to sort by in the place of the rank.
  /// - Throws: ``RecordError`` if the index does not exist, `SQLiteError` if the query has a syntax error.
  public func search<M: Model>(
    _ type: M.Type, _ text: SearchText, in index: String, where filter: (Fields<M>) -> Filter? = { _ in nil },
    orderBy orderings: (Fields<M>, SearchMatch<M>) -> [Ordering] = { [$1.rank.ascending] }, limit: Int? = nil,
    offset: Int? = nil
  ) throws -> [M] {
    let mapping = try store.mapping(of: type)
    let list = SQL(raw: mapping.shape.selection(qualifier: mapping.shape.quotedName))
    let sql = try search(mapping, text, in: index) { fields, match in
      let rows = RowQuery(
        filter: filter(fields), orderings: orderings(fields, match), limit: limit, offset: offset)
      return ([list], rows)
    }
    var objects: [M] = []
    var reader: RowReader?
    try run(sql) { row in
      var known = reader ?? mapping.reader(row)
      objects.append(try mapping.object(&known))
      reader = known
    }
    return objects
  }

  /// Fetches some columns of the objects whose texts have some words, with ranks and marked texts.
  ///
  /// ```swift
  /// let found = try session.search(
  ///   Note.self, .words(typed), in: "note_search", { note, match in (note.id, match.highlight(\.title), match.snippet(\.text)) })
  /// ```
  ///
  /// - Parameter selection: The fields of the object and of the match, as a tuple or a single one.
  public func search<M: Model, each Value: ColumnValue>(
    _ type: M.Type, _ text: SearchText, in index: String,
    _ selection: (Fields<M>, SearchMatch<M>) -> (repeat Field<each Value>),
    where filter: (Fields<M>) -> Filter? = { _ in nil },
    orderBy orderings: (Fields<M>, SearchMatch<M>) -> [Ordering] = { [$1.rank.ascending] }, limit: Int? = nil,
    offset: Int? = nil
  ) throws -> [(repeat each Value)] {
    let mapping = try store.mapping(of: type)
    var selected: (repeat Field<each Value>)?
    let sql = try search(mapping, text, in: index) { fields, match in
      let chosen = selection(fields, match)
      selected = chosen
      var terms: [SQL] = []
      for field in repeat each chosen { terms.append(field.term) }
      let rows = RowQuery(
        filter: filter(fields), orderings: orderings(fields, match), limit: limit, offset: offset)
      return (terms, rows)
    }
    var results: [(repeat each Value)] = []
    try run(sql) { row in
      guard let selected else { return }
      var column = 0
      results.append((repeat try (each selected).read(row, &column)))
    }
    return results
  }

  /// Returns the SQL of a search; nil if the text has no words.
  private func search<M: Model>(
    _ mapping: ModelMapping<M>, _ text: SearchText, in index: String,
    _ choice: (Fields<M>, SearchMatch<M>) -> (terms: [SQL], rows: RowQuery)
  ) throws -> SQL? {
    let shape = mapping.shape
    let name = SQLQuoting.identifier(index)
    guard let rowID = shape.rowIDIndex.map({ shape.columns[$0].quoted }) ?? shape.hiddenRowID, try isFTS5(index)
    else { throw RecordError(.noSearch(model: shape.model, index: index)) }
    let fields = fields(of: mapping)
    let columns = try columnNames(of: index).map { SQLName($0) }
    var (terms, rows) = choice(
      fields, SearchMatch<M>(index: SearchedIndex(name: name, columns: columns), scope: fields.scope))
    let found = Filter(SQL(raw: "\(name) MATCH ?", stored: [.text(text.query ?? "")]))
    rows.filter = rows.filter.map { found && $0 } ?? found
    var sql = SQL(raw: "SELECT ") + SQL.joined(terms, by: ", ")
    sql += " FROM main.\(name) JOIN \(shape.source) ON \(shape.quotedName).\(rowID) = \(name).rowid"
    sql += try rows.clauses()
    let checked = try sql.checked()
    return text.query == nil ? nil : checked
  }

  private func run(_ sql: SQL?, _ body: (Statement) throws -> Void) throws {
    guard let sql else { return }
    try connection.withStatement(sql.text) { statement in
      try statement.bind(sql.values)
      try connection.run(statement, eachRow: body)
    }
  }

  private func isFTS5(_ index: String) throws -> Bool {
    let sql = "SELECT sql FROM main.sqlite_master WHERE type = 'table' AND name = ?1 COLLATE NOCASE"
    guard let text = try connection.rows(sql, [.text(index)]).first?.first?.text,
      case .virtualTable(let table)? = try? SQLParser.create(text)
    else { return false }
    return SQLName(table.module.text) == "fts5"
  }
}
