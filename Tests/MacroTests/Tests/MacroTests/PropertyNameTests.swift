import SchemaKit
import Testing

/// Properties whose names stand in the code that the macros write, or in what it calls, too.
@Suite("Names of properties")
struct PropertyNameTests {
  private func stored<M: Model>(_ object: M) throws -> M? {
    let session = try Session(inMemory: ModelSchema { M.self })
    try session.save(object)
    return try session.first(M.self)
  }

  @Test("a property may be named columns")
  func columns() throws {
    let grid = Grid(rows: 2, columns: 3)
    #expect(try stored(grid) == grid)
  }

  @Test("every name in what @Model writes may be that of a property")
  func model() throws {
    let names = ModelNames(
      id: 1, columns: 2, row: 3, model: 4, fragment: 5, table: 6, type: 7, add: 8, read: 9, append: 10, decode: 11,
      encode: 12, constraints: 13, indexes: 14, triggers: 15, _row: 16, _id: 17, reader: 18, writer: 19, group: 20,
      write: 21, to: 22)
    #expect(try stored(names) == names)
  }

  @Test("every name in what @Fragment writes may be that of a property")
  func fragment() throws {
    let names = FragmentNames(
      columns: 1, row: 2, model: 3, fragment: 4, table: 5, type: 6, decode: 7, encode: 8, _row: 9, write: 10, to: 11)
    let holder = NamesHolder(id: 1, names: names, others: nil)
    #expect(try stored(holder) == holder)
  }

  @Test("every name in what @Model writes for a class may be that of a property")
  func classes() throws {
    let found = try stored(ClassNames(columns: 1, row: 2, model: 3, table: 4))
    #expect(found.map { [$0.columns, $0.row, $0.model, $0.table] } == [1, 2, 3, 4])
  }

  @Test("names in backticks: keywords, several words and quotes")
  func backticks() throws {
    let quoted = Quoted(
      default: 1, in: 2, init: 3, `inout`: 4, let: 5, self: 6, `two words`: 7, `a "quote"`: 8, `2nd`: 9)
    #expect(try stored(quoted) == quoted)
    let session = try Session(inMemory: ModelSchema { Quoted.self })
    #expect(try session.storedSchema().tables.first?.columns.map(\.name).contains("a \"quote\"") == true)
  }

  @Test("a property may have the name that the default of another one gets")
  func defaults() throws {
    let result = try Compiler.check(
      """
      import SchemaKit
      @Model("defaults") struct Defaults {
        @Default var tags: [String] = ["new"]
        var default_tags: Int
        @Default var default__tags: Int = 3
        @Default var default_default_tags: Int = 4
      }
      """)
    #expect(result.output.isEmpty, "\(result.output)")
  }

  @Test("names in backticks that stand without them in an index are no warning")
  func warnings() throws {
    let result = try Compiler.check(
      #"""
      import SchemaKit
      @Model("quoted") struct Quoted {
        var `default`, `in`, `init`, `inout`, `columns`, `two words`: Int
        static let indexes = [Index<Quoted>("by_default", on: \.default), Index<Quoted>("by_words", on: \.`two words`)]
      }
      """#)
    #expect(result.output.isEmpty, "\(result.output)")
  }
}

@Model("grids") struct Grid: Equatable {
  @PrimaryKey var rows: Int
  var columns: Int
}

@Model("model_names") struct ModelNames: Equatable {
  @PrimaryKey var id: Int
  var columns, row, model, fragment, table, type, add, read, append, decode, encode: Int
  var constraints, indexes, triggers: Int
  var _row, _id: Int
  var reader, writer, group, write, to: Int
}

@Fragment struct FragmentNames: Equatable {
  var columns, row, model, fragment, table, type, decode, encode: Int
  var _row, write, to: Int
}

@Model("holders") struct NamesHolder: Equatable {
  @PrimaryKey var id: Int
  @Embedded(prefix: "some_") var names: FragmentNames
  @Embedded(prefix: "other_") var others: FragmentNames?
}

@Model("class_names") final class ClassNames {
  @PrimaryKey let columns: Int
  let row, model, table: Int

  init(columns: Int, row: Int, model: Int, table: Int) {
    self.columns = columns
    self.row = row
    self.model = model
    self.table = table
  }
}

@Model("quoted") struct Quoted: Equatable {
  @PrimaryKey var `default`: Int
  var `in`, `init`, `inout`, `let`, `self`: Int
  @Default var `two words`: Int = 2
  var `a "quote"`: Int
  var `2nd`: Int
}
