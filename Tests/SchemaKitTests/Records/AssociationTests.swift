import Foundation
import SchemaKit
import Testing

/// What belongs to objects: counted beside them, and fetched at any depth.
@Suite struct AssociationTests {
  private struct Tag: Model, Hashable {
    var word: String

    static let table = ModelTable("tags", as: Self.init) { Column("word", \Tag.word).primaryKey() }
  }

  private struct Tagging: Model, Hashable {
    var item: Int64
    var word: String

    static let table = ModelTable("taggings", as: Self.init) {
      Column("item", \Tagging.item).references(Shop.Item.self)
      Column("word", \Tagging.word).references(Tag.self)
    }
  }

  private struct Person: Model, Hashable {
    let id: Int64?
    var name: String
    var boss: Int64?

    static let table = ModelTable("people", as: Self.init) {
      Column("id", \Person.id).primaryKey()
      Column("name", \Person.name)
      Column("boss", \Person.boss).references(Person.self)
    }
  }

  /// Rows without a primary key, which refer to a key of two columns, compared without case.
  private struct Room: Model, Hashable {
    var house: String
    var number: Int

    static let table = ModelTable("rooms", as: Self.init) {
      Column("house", \Room.house).collate(.nocase)
      Column("number", \Room.number)
    } constraints: {
      Constraint.primaryKey(\.house, \.number)
    }
  }

  private struct Chair: Model, Hashable {
    var house: String?
    var number: Int?
    var legs: Int

    static let table = ModelTable("chairs", as: Self.init) {
      Column("house", \Chair.house).collate(.nocase)
      Column("number", \Chair.number)
      Column("legs", \Chair.legs)
    } constraints: {
      Constraint.foreignKey(\.house, \.number, references: Room.self)
    }
  }

  private let session: Session

  init() throws {
    session = try Session(
      inMemory: ModelSchema {
        Shop.Site.self
        Shop.Customer.self
        Shop.Order.self
        Shop.Item.self
        Tag.self
        Tagging.self
        Person.self
        Room.self
        Chair.self
      })
    try session.save([Shop.Site(id: 1, name: "Bern"), Shop.Site(id: 2, name: "Rome")])
    try session.save([
      Shop.Customer(id: 1, name: "Ada", site: 1), Shop.Customer(id: 2, name: "Ben", site: 1),
      Shop.Customer(id: 3, name: "Cleo", site: nil),
    ])
    try session.save([
      Shop.Order(id: 1, customer: 1, payer: 2, total: 10, tip: Decimal(string: "0.5")),
      Shop.Order(id: 2, customer: 1, payer: nil, total: 20, tip: nil),
      Shop.Order(id: 3, customer: 2, payer: 2, total: 5, tip: nil),
    ])
    try session.save([
      Shop.Item(id: 1, order: 1, name: "pen"), Shop.Item(id: 2, order: 1, name: "ink"),
      Shop.Item(id: 3, order: 3, name: "cup"),
    ])
    try session.save([Tag(word: "blue"), Tag(word: "old")])
    try session.save(
      [
        Tagging(item: 1, word: "blue"), Tagging(item: 1, word: "old"), Tagging(item: 2, word: "blue"),
      ], .insert)
  }

  @Test func `children of any depth are fetched in one query a level`() throws {
    let sites = try session.all(
      Shop.Site.self,
      with: .children(
        Shop.Customer.self, orderBy: { [$0.name.descending] },
        with: .children(
          Shop.Order.self, via: \.customer, where: { $0.total > 6 }, orderBy: { [$0.id.ascending] },
          with: .children(Shop.Item.self, orderBy: { [$0.name.ascending] }))),
      orderBy: { [$0.id.ascending] })
    #expect(sites.map(\.0.name) == ["Bern", "Rome"])
    #expect(sites[1].1.isEmpty)
    #expect(sites[0].1.map(\.0.name) == ["Ben", "Ada"])
    #expect(sites[0].1[0].1.isEmpty)
    let orders = sites[0].1[1].1
    #expect(orders.map(\.0.id) == [1, 2])
    #expect(orders.map { $0.1.map(\.name) } == [["ink", "pen"], []])
  }

  @Test func `objects are fetched through a model between them, in both directions`() throws {
    let items = try session.all(
      Shop.Item.self, with: .children(Tag.self, through: Tagging.self, orderBy: { [$0.word.ascending] }),
      orderBy: { [$0.id.ascending] })
    #expect(items.map { $0.1.map(\.word) } == [["blue", "old"], ["blue"], []])
    let tags = try session.all(
      Tag.self,
      with: .children(
        Shop.Item.self, through: Tagging.self, where: { $0.id < 9 }, orderBy: { [$0.id.ascending] },
        with: .children(Tag.self, through: Tagging.self, orderBy: { [$0.word.ascending] })),
      where: { $0.word == "blue" }, limit: 5)
    #expect(tags.count == 1 && tags[0].1.map(\.0.name) == ["pen", "ink"])
    #expect(tags[0].1.map { $0.1.map(\.word) } == [["blue", "old"], ["blue"]])
    #expect(throws: RecordError.self) {
      try session.all(Shop.Site.self, with: .children(Tag.self, through: Tagging.self))
    }
  }

  @Test func `children are found by keys of several columns, as SQLite compares them, and without a key of their own`()
    throws
  {
    try session.save((0..<900).map { Room(house: $0 % 2 == 0 ? "a" : "b", number: $0 / 2) })
    try session.save(
      [
        Chair(house: "A", number: 7, legs: 3), Chair(house: "b", number: 449, legs: 4),
        Chair(house: nil, number: 7, legs: 5),
        Chair(house: "A", number: 7, legs: 4),
      ], .insert)
    for limit in [nil, 1000] {
      let rooms = try session.all(
        Room.self, with: .children(Chair.self, orderBy: { [$0.legs.ascending] }),
        orderBy: { [$0.house.ascending, $0.number.ascending] }, limit: limit)
      #expect(rooms.count == 900)
      let furnished = rooms.filter { !$0.1.isEmpty }
      #expect(furnished.map { "\($0.0.house)\($0.0.number)" } == ["a7", "b449"])
      #expect(furnished.map { $0.1.map(\.legs) } == [[3, 4], [4]])
    }
  }

  @Test func `related rows are counted and added up beside each object, in conditions and in orders`() throws {
    let counted = try session.all(Shop.Customer.self, counting: \Shop.Order.customer, orderBy: { [$0.id.ascending] })
    #expect(counted.map(\.1) == [2, 1, 0])
    let paid = try session.all(Shop.Customer.self, counting: \Shop.Order.payer, where: { $0.name != "Ada" })
    #expect(paid.map { "\($0.0.name) \($0.1)" } == ["Ben 2", "Cleo 0"])
    let sums = try session.all(
      Shop.Customer.self,
      selecting: {
        (
          $0.computing(Shop.Order.self, via: \Shop.Order.customer, { $0.total.sum }),
          $0.computing(Shop.Order.self, via: \Shop.Order.customer, { $0.tip.sum }, where: { $0.total > 1 }),
          $0.counting(Shop.Order.self, via: \Shop.Order.customer, where: { $0.any(Shop.Item.self) })
        )
      },
      where: { $0.counting(Shop.Order.self, via: \Shop.Order.customer) > 0 },
      orderBy: { [$0.counting(Shop.Order.self, via: \Shop.Order.customer).descending] }, limit: 2)
    #expect(sums.map(\.0.name) == ["Ada", "Ben"])
    #expect(sums.map(\.1) == [30, 5] && sums.map(\.2) == [Decimal(string: "0.5"), nil] && sums.map(\.3) == [1, 1])
    // The foreign key may be in either model.
    let names = try session.select(
      Shop.Customer.self, { ($0.name, $0.computing(Shop.Site.self, { $0.name.max })) }, orderBy: { [$0.id.ascending] })
    #expect(names.map(\.1) == ["Bern", "Bern", nil])
  }

  /// Properties with the names that functions of fields could have.
  private struct Game: Model {
    let id: Int64?
    var matches: Int
    var count: Int
    var value: Int

    static let table = ModelTable("games", as: Self.init) {
      Column("id", \Game.id).primaryKey()
      Column("matches", \Game.matches)
      Column("count", \Game.count)
      Column("value", \Game.value)
    }
  }

  @Test func `no function of fields hides a property`() throws {
    let session = try Session(inMemory: ModelSchema { Game.self })
    try session.save(Game(id: 1, matches: 3, count: 2, value: 1))
    #expect(try session.count(Game.self, where: { $0.matches > $0.count && $0.count > $0.value }) == 1)
  }

  @Test func `only an aggregate is computed over related rows`() throws {
    let reason = #expect(throws: RecordError.self) {
      try session.all(Shop.Site.self, selecting: { $0.computing(Shop.Customer.self, { $0.name }) })
    }
    guard case .noAggregate? = reason?.reason else {
      Issue.record("\(String(describing: reason))")
      return
    }
    #expect(throws: RecordError.self) { try session.all(Shop.Site.self, selecting: { $0.id.count }) }
    #expect(throws: RecordError.self) { try session.all(Shop.Site.self, counting: \Shop.Item.order) }
  }

  @Test func `a model that refers to itself is fetched as trees, and a circle ends`() throws {
    try session.save([
      Person(id: 1, name: "a", boss: nil), Person(id: 2, name: "b", boss: 1), Person(id: 3, name: "c", boss: 1),
      Person(id: 4, name: "d", boss: 3), Person(id: 5, name: "e", boss: nil),
    ])
    func text(_ tree: ModelTree<Person>) -> String {
      tree.object.name + (tree.children.isEmpty ? "" : "(\(tree.children.map(text).joined(separator: " ")))")
    }
    func trees(_ filter: (Fields<Person>) -> Filter? = { _ in nil }) throws -> [String] {
      try session.trees(Person.self, where: filter, orderBy: { [$0.name.descending] }).map(text)
    }
    #expect(try trees() == ["e", "a(c(d) b)"])
    #expect(try trees { $0.name == "c" } == ["c(d)"])
    try session.update(Person.self, set: { [$0.boss.set(4)] }, where: { $0.id == 1 })
    #expect(try trees() == ["e"])
    #expect(try trees { $0.id == 1 } == ["a(c(d) b)"])
    try session.delete(Person.self, where: { $0.id > 4 })
    try session.save((5...1_007).map { Person(id: $0, name: "n", boss: $0 == 5 ? nil : $0 - 1) })
    #expect(throws: RecordError.self) { try trees() }
    #expect(try trees { $0.id == 8 }.first?.count { $0 == "n" } == 1_000)
  }
}
