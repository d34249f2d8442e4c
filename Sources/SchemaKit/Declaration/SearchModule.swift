/// A module of SQLite for full-text search, with its options.
public struct SearchModule: Sendable, Hashable {
  let name: String
  let options: [String]
  /// True if the index lists its rows.
  let keepsSizes: Bool

  /// [FTS5](https://sqlite.org/fts5.html) with its defaults.
  public static let fts5 = SearchModule.fts5(tokenizer: nil)

  /// [FTS4](https://sqlite.org/fts3.html) with its defaults. `search` and conditions need FTS5.
  public static let fts4 = SearchModule.fts4(tokenizer: nil)

  /// [FTS5](https://sqlite.org/fts5.html).
  ///
  /// - Parameters:
  ///   - tokenizer: The [tokenizer](https://sqlite.org/fts5.html#tokenizers) and its arguments, such as `porter unicode61`; nil
  ///     for SQLite's own choice.
  ///   - prefixes: The lengths of beginnings of words, in characters, for which a
  ///     [prefix index](https://sqlite.org/fts5.html#prefix_indexes) makes searches fast.
  ///   - columnSize: False if the index keeps no number of words for each row, which saves space and makes ranks
  ///     [slow](https://sqlite.org/fts5.html#the_columnsize_option).
  public static func fts5(tokenizer: String?, prefixes: [Int] = [], columnSize: Bool = true) -> SearchModule {
    var options = tokenizer.map { ["tokenize=\(SQLQuoting.literal($0))"] } ?? []
    if !prefixes.isEmpty { options.append("prefix='\(prefixes.map(String.init).joined(separator: " "))'") }
    if !columnSize { options.append("columnsize=0") }
    return SearchModule(name: "fts5", options: options, keepsSizes: columnSize)
  }

  /// [FTS4](https://sqlite.org/fts3.html). An `UPDATE OR IGNORE` that SQLite ignores takes its row out of the index.
  ///
  /// - Parameters:
  ///   - tokenizer: The [tokenizer](https://sqlite.org/fts3.html#tokenizer) and its arguments, such as `porter`; nil for SQLite's
  ///     own choice.
  ///   - prefixes: The lengths of beginnings of words, in bytes, for which an index makes searches
  ///     [fast](https://sqlite.org/fts3.html#fts4prefix).
  public static func fts4(tokenizer: String?, prefixes: [Int] = []) -> SearchModule {
    var options = tokenizer.map { ["tokenize=\($0)"] } ?? []
    if !prefixes.isEmpty { options.append("prefix='\(prefixes.map(String.init).joined(separator: ","))'") }
    return SearchModule(name: "fts4", options: options, keepsSizes: true)
  }
}

/// A full-text index of a model, as it is declared.
struct DeclaredSearch: Sendable, Hashable {
  let model: any Model.Type
  let module: SearchModule
  let columns: [any AnyKeyPath & Sendable]
  var condition: String?

  static func == (left: DeclaredSearch, right: DeclaredSearch) -> Bool {
    ObjectIdentifier(left.model) == ObjectIdentifier(right.model) && left.module == right.module
      && left.condition == right.condition && left.paths == right.paths
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(model))
    hasher.combine(module)
    hasher.combine(paths)
    hasher.combine(condition)
  }

  private var paths: [AnyKeyPath] { columns.map { $0 } }
}

/// The objects of the database that a full-text index of a model consists of.
///
/// The index has no text of its own, and triggers keep it up to date
/// ([External Content Tables](https://sqlite.org/fts5.html#external_content_tables)). With a condition its content is a view of
/// the rows that meet it, so that filling it anew finds no others.
struct SearchObjects {
  private let name: String
  private let search: DeclaredSearch
  private let table: TableDeclaration
  private let key: String
  private let columns: [String]

  init(_ name: String, _ search: DeclaredSearch) throws(DeclarationError) {
    self.name = name
    self.search = search
    table = TableDeclaration(search.model)
    columns = try table.columnNames(search.columns, in: "the search index \(name)")
    guard let key = table.columns.first(where: table.isRowID) else { throw table.error(.searchWithoutRowID(name)) }
    self.key = key.name
    // The names of hidden columns. See https://sqlite.org/fts5.html#fts5_table_creation_and_initialization.
    var taken: Set<SQLName> = search.module.name == "fts5" ? ["rank", "rowid"] : ["docid"]
    taken.insert(SQLName(name))
    for column in columns where !taken.insert(SQLName(column)).inserted {
      throw table.error(.searchColumn(name, column: column))
    }
    if let condition = search.condition { try check(condition) }
  }

  /// The elements that stand for it in a schema.
  var elements: [ModelSchema.Element] {
    var elements: [ModelSchema.Element] = [.virtualTable(virtualTable)]
    if let condition = search.condition {
      // The view has all columns, so that it stays the same when the index gets other columns.
      elements.append(
        .view(SQLView(content, sql: "SELECT * FROM \(SQLQuoting.identifier(table.name)) WHERE \(condition)")))
    }
    return elements + (search.module.name == "fts5" ? triggers : triggersOfFTS4).map { .trigger($0) }
  }

  /// The name of the table or view that the index reads.
  private var content: String { search.condition == nil ? table.name : "\(name)_rows" }

  private var virtualTable: VirtualTable {
    var arguments = columns.map(SQLQuoting.identifier) + ["content=\(SQLQuoting.literal(content))"]
    if search.module.name == "fts5" { arguments.append("content_rowid=\(SQLQuoting.literal(key))") }
    return VirtualTable(name, search.module.name, arguments + search.module.options)
  }

  // MARK: - Triggers

  private var triggers: [Trigger] {
    [
      trigger("insert", .after, .insert, add), trigger("update", .after, update, "\(remove);\n  \(add)"),
      trigger("delete", .after, .delete, remove),
    ]
  }

  /// FTS4 reads the former texts [from the content](https://sqlite.org/fts3.html#_external_content_fts4_tables_), so that they
  /// must be there still.
  private var triggersOfFTS4: [Trigger] {
    let remove = "DELETE FROM \(SQLQuoting.identifier(name)) WHERE docid = old.\(SQLQuoting.identifier(key))"
    let add =
      "INSERT INTO \(SQLQuoting.identifier(name)) (docid, \(list)) VALUES (\(values(of: "new")))"
    return [
      trigger("before_update", .before, update, remove), trigger("before_delete", .before, .delete, remove),
      trigger("update", .after, update, add), trigger("insert", .after, .insert, add),
    ]
  }

  private func trigger(_ word: String, _ timing: Trigger.Timing, _ event: Trigger.Event, _ body: String) -> Trigger {
    Trigger("\(name)_\(word)", timing, event, on: table.name, body: body)
  }

  /// The updates that can change the index: by columns, so that a trigger which updates another column of the same row first does
  /// not have the row removed with texts that the index does not have yet.
  private var update: Trigger.Event {
    var read = Set([key] + columns).union(table.columns(in: search.condition ?? ""))
    var count = -1
    while count != read.count {
      count = read.count
      for column in table.columns where read.contains(column.name) {
        read.formUnion(table.columns(in: column.generated?.sql ?? ""))
      }
    }
    return .update(of: table.columns.filter { $0.generated == nil && read.contains($0.name) }.map(\.name))
  }

  private var list: String { columns.map(SQLQuoting.identifier).joined(separator: ", ") }

  private func values(of row: String) -> String {
    ([key] + columns).map { "\(row).\(SQLQuoting.identifier($0))" }.joined(separator: ", ")
  }

  /// Takes a row out of an FTS5 index, with the texts by which it was added. Where rows are left out,
  /// [the list of rows](https://sqlite.org/fts5.html#fts5_data_structures) tells if it is there.
  private var remove: String {
    let index = SQLQuoting.identifier(name)
    let head = "INSERT INTO \(index) (\(index), rowid, \(list))"
    guard search.condition != nil else { return "\(head) VALUES ('delete', \(values(of: "old")))" }
    return "\(head) SELECT 'delete', \(values(of: "old")) WHERE old.\(SQLQuoting.identifier(key)) IN (\(known))"
  }

  /// Adds a row to an FTS5 index; where rows are left out, if the view has it and the index does not.
  private var add: String {
    let head = "INSERT INTO \(SQLQuoting.identifier(name)) (rowid, \(list))"
    guard search.condition != nil else { return "\(head) VALUES (\(values(of: "new")))" }
    let (rows, key) = (SQLQuoting.identifier(content), SQLQuoting.identifier(key))
    return "\(head) SELECT \(key), \(list) FROM \(rows) WHERE \(key) = new.\(key) AND \(key) NOT IN (\(known))"
  }

  private var known: String { "SELECT id FROM \(SQLQuoting.identifier("\(name)_docsize"))" }

  private func check(_ condition: String) throws(DeclarationError) {
    func refused(_ problem: DeclarationError.SearchConditionProblem) -> DeclarationError {
      table.error(.searchCondition(name, problem: problem))
    }
    guard search.module.name == "fts5" else { throw refused(.needsFTS5) }
    guard search.module.keepsSizes else { throw refused(.needsColumnSize) }
    let tokens: [SQLToken]
    do { tokens = try SQLLexer.tokens(of: condition) } catch { throw refused(.notSQL(error.message)) }
    if tokens.contains(where: { $0.isKeyword("SELECT") }) { throw refused(.subquery) }
    for (place, token) in tokens.enumerated() {
      let next = place + 1 < tokens.count ? tokens[place + 1] : nil
      if next?.isSymbol(".") == true, let name = token.name, name != SQLName(table.name) {
        throw refused(.otherTable(name.text))
      }
      // IN takes the name of a table as well.
      if token.isKeyword("IN"), let name = next?.name { throw refused(.otherTable(name.text)) }
    }
  }
}

extension TableDeclaration {
  /// The columns that an SQL expression names.
  fileprivate func columns(in expression: String) -> [String] {
    let names = Set(((try? SQLLexer.tokens(of: expression)) ?? []).compactMap(\.name))
    return columns.map(\.name).filter { names.contains(SQLName($0)) }
  }
}

extension ModelSchema {
  /// The schema with the objects that its full-text indexes of models consist of.
  func withSearchObjects() throws(DeclarationError) -> ModelSchema {
    for case .virtualTable(let table) in elements where table.hasLostCondition {
      throw DeclarationError(.searchCondition(table.name, problem: .noModel))
    }
    guard elements.contains(where: { $0.search != nil }) else { return self }
    let models = Set(self.models.map { ObjectIdentifier($0) })
    var expanded: [Element] = []
    for element in elements {
      guard case .virtualTable(let table) = element, let search = table.search else {
        expanded.append(element)
        continue
      }
      guard models.contains(ObjectIdentifier(search.model)) else {
        throw DeclarationError(.searchedModelNotInSchema(table.name, model: "\(search.model)"))
      }
      expanded += try SearchObjects(table.name, search).elements
    }
    return ModelSchema(name: name, removing: removedTables, rules: rules, elements: expanded)
  }
}

extension ModelSchema.Element {
  fileprivate var search: DeclaredSearch? { if case .virtualTable(let table) = self { table.search } else { nil } }
}
