/// Some objects of a long list, and where the next ones begin.
public struct Page<Item: Sendable>: Sendable {
  /// The objects in order.
  public let items: [Item]
  /// The cursor for the next page; nil if this is the last one.
  public let next: PageCursor?
}

/// A position in an ordered list: the values that the last object of a page is sorted by.
///
/// It can be encoded, to be stored or sent to whoever requests the next page.
public struct PageCursor: Sendable, Hashable, Codable {
  let order: String
  let values: [SQLValue]
}

extension RecordReader {
  /// Fetches the next objects of a list, starting where an earlier page ended.
  ///
  /// The primary key decides between objects that are equal in the order, so that no object is skipped or returned
  /// twice, even if others are added or deleted meanwhile.
  ///
  /// *Cost:* with an index in this order, the rows of the page and no others, however far down the list it is.
  ///
  /// - Parameters:
  ///   - size: The number of objects per page, at least 1.
  ///   - cursor: The `next` of the previous page; nil for the first page.
  /// - Throws: ``RecordError`` for a cursor of another order, or for a table without a primary key.
  public func page<M: Model>(
    _ type: M.Type, size: Int, after cursor: PageCursor? = nil, where filter: (Fields<M>) -> Filter? = { _ in nil },
    orderBy orderings: (Fields<M>) -> [Ordering] = { _ in [] }
  ) throws -> Page<M> {
    let mapping = try store.mapping(of: type)
    let shape = mapping.shape
    guard !shape.keyIndexes.isEmpty else { throw RecordError(.noPrimaryKey(table: shape.name)) }
    guard size > 0 else { throw RecordError(.count("page size", size, least: 1)) }
    let fields = fields(of: mapping)
    let order = orderings(fields) + shape.keyOrder
    let signature = order.map { "\($0.sql.text) \($0.sql.values)" }.joined(separator: ", ")
    var query = RowQuery(filter: filter(fields), orderings: order, limit: size)
    // One row more than requested tells whether there is a next page.
    if size < .max { query.limit = size + 1 }
    if let cursor {
      guard cursor.order == signature, cursor.values.count == order.count else { throw RecordError(.foreignCursor) }
      let behind = KeysetCondition(order: order, values: cursor.values).filter
      query.filter = query.filter.map { $0 && behind } ?? behind
    }
    let clauses = try query.clauses()
    let terms = SQL.joined(order.map(\.term), by: ", ")
    let head = SQL(raw: "SELECT \(shape.selection(qualifier: shape.quotedName)), ") + terms
    let sql = try (head + SQL(raw: " FROM \(shape.source)") + clauses).checked()
    let offset = shape.selectionWidth
    return try connection.withStatement(sql.text) { statement in
      try statement.bind(sql.values)
      var items: [M] = []
      var last: [SQLValue] = []
      var hasMore = false
      var reader = mapping.reader(statement)
      try connection.run(statement) { row in
        if items.count == size {
          hasMore = true
          return
        }
        items.append(try mapping.object(&reader))
        if items.count == size { last = try order.indices.map { try row.sqlValue(at: offset + $0) } }
      }
      return Page(items: items, next: hasMore ? PageCursor(order: signature, values: last) : nil)
    }
  }
}

extension ModelShape {
  /// The primary key as the last sort key.
  fileprivate var keyOrder: [Ordering] {
    keyIndexes.map { index in
      Ordering(
        term: SQL(raw: "\(quotedName).\(columns[index].quoted)"), isDescending: false, putsNullsFirst: nil,
        isNeverNull: columns[index].isNeverNull)
    }
  }
}

/// The condition that a row comes after a position in an order.
struct KeysetCondition {
  let order: [Ordering]
  let values: [SQLValue]

  var filter: Filter {
    // After it in the first term; or equal in the first and after it in the second; and so on.
    var filter = Filter.never
    for index in order.indices.reversed() {
      let (term, value) = (order[index], values[index])
      let equal = Filter(term.term + SQL(raw: " IS ?", stored: [value]))
      let behind = Self.behind(term, value)
      filter = index == order.indices.last ? behind : behind || (equal && filter)
    }
    return filter
  }

  private static func behind(_ term: Ordering, _ value: SQLValue) -> Filter {
    let isNull = Filter(term.term + SQL(raw: " IS NULL"))
    if value.isNull { return term.hasNullsFirst ? Filter(term.term + SQL(raw: " IS NOT NULL")) : .never }
    let beyond = Filter(term.term + SQL(raw: term.isDescending ? " < ?" : " > ?", stored: [value]))
    return term.hasNullsFirst || term.isNeverNull ? beyond : beyond || isNull
  }
}
