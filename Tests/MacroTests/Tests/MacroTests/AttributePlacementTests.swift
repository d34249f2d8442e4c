import Testing

/// Attributes where nothing reads them: each is an error at its own line, which is the one with the mark.
@Suite("Attributes that have no effect", .serialized)
struct AttributePlacementTests {
  struct Misplaced: Sendable, CustomTestStringConvertible {
    let name: String
    let source: String
    let expected: String

    var testDescription: String { name }
  }

  static let onTypes = [
    Misplaced(
      name: "a check of the table",
      source: """
        @Check("start <= stop", named: "order")  // here
        @Model("spans") struct Span { var start: Int; var stop: Int }
        """,
      expected: "@Check belongs to a property: for the table of 'Span', write "
        + #"'static let constraints = [Constraint<Span>.check("start <= stop", named: "order")]'"#),
    Misplaced(
      name: "a unique table",
      source: """
        @Model("spans")
        @Unique  // here
        final class Span { let start: Int }
        """,
      expected: #"@Unique belongs to a property: for the table of 'Span', write 'static let constraints = "#
        + #"[Constraint<Span>.unique(\.…, \.…)]'"#),
    Misplaced(
      name: "a key of the table",
      source: """
        @PrimaryKey  // here
        @Model("spans") struct Span { var start: Int }
        """,
      expected: "[Constraint<Span>.primaryKey("),
    Misplaced(
      name: "a reference of the table",
      source: """
        @References("days")  // here
        @Model("spans") struct Span { var start: Int }
        """,
      expected: "[Constraint<Span>.foreignKey("),
    Misplaced(
      name: "NOT NULL of the table",
      source: """
        @NotNull  // here
        @Model("spans") struct Span { var start: Int }
        """,
      expected: "@NotNull belongs to a property: write it before one of those of 'Span'"),
    Misplaced(
      name: "attribute of a column before a type without @Model",
      source: """
        @Unique  // here
        struct Span { var start: Int }
        """,
      expected: "@Unique belongs to a property of a type with @Model or @Fragment, not to 'Span'"),
    Misplaced(
      name: "attribute of a table before a type without @Model",
      source: """
        @Renamed(from: "old")  // here
        struct Span { var start: Int }
        """,
      expected: "@Renamed has no effect on 'Span', which has no @Model: add that, or write "
        + #"'.renamed(from: "old")' after its ModelTable"#),
    Misplaced(
      name: "attribute of a table before a fragment",
      source: """
        @Strict  // here
        @Fragment struct Span { var start: Int }
        """,
      expected: "@Strict belongs to a table, and fragment 'Span' has none"),
    Misplaced(
      name: "attribute of a type inside #if",
      source: """
        #if DEBUG
        @Strict  // here
        #endif
        @Model("spans") struct Span { var start: Int }
        """,
      expected: "@Strict of 'Span' is inside #if, where @Model does not read it: move it out"),
  ]

  static let onProperties = [
    Misplaced(
      name: "attribute of a table before a property",
      source: """
        @Model("spans") struct Span {
          @Strict  // here
          var start: Int
        }
        """,
      expected: "@Strict belongs to a table: write it beside @Model, and not before property 'start'"),
    Misplaced(
      name: "property of a model that is written by hand",
      source: """
        struct Person: Model {
          @Unique(onConflict: .replace)  // here
          var email: String
          static let table = ModelTable("people", as: Self.init) { Column("email", \\.email) }
        }
        """,
      expected: "@Unique of property 'email' has no effect, since 'Person' has no @Model or @Fragment: add one, or "
        + "write '.unique(onConflict: .replace)' after its Column in the table"),
    Misplaced(
      name: "named property of a type without @Model",
      source: """
        class Person {
          @Column("e_mail")  // here
          var email = ""
        }
        """,
      expected: #"add one, or write 'Column(…, \.email)' in its table"#),
    Misplaced(
      name: "default of a property of a type without @Model",
      source: """
        @Fragment struct Part {
          var name: String
          struct Person {
            @Default("a")  // here
            var email = ""
          }
        }
        """,
      expected: #"since 'Person' has no @Model or @Fragment: add one, or write '.default("a")' after its Column"#),
    Misplaced(
      name: "embedded property of a type without @Model",
      source: """
        struct Person {
          @Embedded  // here
          var `default`: Int
        }
        """,
      expected: #"add one, or write 'Column(embedding: \.default)' in its table"#),
    Misplaced(
      name: "transient property of a type without @Model",
      source: """
        struct Person {
          @Transient  // here
          var email = ""
        }
        """,
      expected: "@Transient of property 'email' has no effect"),
    Misplaced(
      name: "property in an extension",
      source: """
        @Model("spans") struct Span { var start: Int }
        extension Span {
          @Unique  // here
          var length: Int { 5 }
        }
        """,
      expected: "Property 'length' stands in an extension and has no column: remove @Unique"),
    Misplaced(
      name: "variable outside of types",
      source: """
        @Unique  // here
        let start = 5
        """,
      expected: "'start' is not a property of a model and has no column: remove @Unique"),
    Misplaced(
      name: "function of a model",
      source: """
        @Model("spans") struct Span {
          var start: Int
          @Check("start > 0")  // here
          func length() {}
        }
        """,
      expected: "@Check belongs to a stored property of a model: remove it here"),
    Misplaced(
      name: "attribute of a property inside #if that is met",
      source: """
        @Model("spans") struct Span {
          #if !NEVER
          @Unique  // here
          #endif
          var start: Int
        }
        """,
      expected: "@Unique of property 'start' is inside #if, where @Model does not read it: move it out"),
    Misplaced(
      name: "attribute of a property inside two #if that are not met",
      source: """
        @Fragment struct Span {
          #if NEVER
          #if NEVER
          @objc
          #else
          @Unique  // here
          #endif
          #endif
          var start: Int
        }
        """,
      expected: "@Unique of property 'start' is inside #if, where @Fragment does not read it: move it out"),
    Misplaced(
      name: "attribute of a computed property inside #if",
      source: """
        @Model("spans") struct Span {
          var start: Int
          #if DEBUG
          @Unique  // here
          var length: Int { 5 }
          #endif
        }
        """,
      expected: "Property 'length' is not stored in the object and has no column: remove @Unique"),
  ]

  @Test("are reported at their own line", arguments: onTypes + onProperties)
  func reported(misplaced: Misplaced) throws {
    let source = "import SchemaKit\n" + misplaced.source
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(lines.firstIndex { $0.hasSuffix("// here") }) + 1
    let messages = try Compiler.check(source).messages.filter { $0.hasPrefix("\(line): ") }
    #expect(messages.count == 1)
    #expect(messages.first?.contains(misplaced.expected) == true, "\(messages)")
  }
}
