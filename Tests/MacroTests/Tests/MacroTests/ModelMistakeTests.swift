import Foundation
import Testing

/// What the compiler says of a wrong model of 40 columns: at the line of the mistake, in words that name the property.
@Suite("Mistakes in @Model", .serialized)
struct ModelMistakeTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    let name: String
    /// What stands in place of the declaration of a field.
    var field: String = "var field17: Int"
    /// What stands at the end of the model.
    var member = ""
    var head = "@Model(\"wide\") struct Wide {"
    /// What the first message at the line of the mistake contains.
    let expected: String
    var isWarning = false

    var testDescription: String { name }
  }

  static let mistakes = [
    Mistake(name: "unknown type", field: "var field17: Nope", expected: "cannot find type 'Nope'"),
    Mistake(
      name: "type that cannot be stored", field: "var field17: Odd",
      expected: "'field17' requires that 'Odd' conform to 'ColumnValue'"),
    Mistake(
      name: "embedded type that is no fragment", field: "@Embedded var field17: Odd",
      expected: "'field17' requires that 'Odd' conform to 'Fragment'"),
    Mistake(
      name: "optional embedded type that is no fragment", field: "@Embedded var field17: Odd?",
      expected: "'field17' requires that 'Odd' conform to 'Fragment'"),
    Mistake(
      name: "path with ? to a column of an optional fragment", field: "@Embedded var field17: Part?",
      member: #"static let indexes = [Index<Wide>("i", on: \.field17?.name)]"#,
      expected: #"The column of an optional fragment is written with !, as in '\.field17!.name'"#),
    Mistake(
      name: "default of another type", field: "@Default(5) var field17: String",
      expected: "The default of property 'field17' is a whole number, but its type is String"),
    Mistake(
      name: "default without a value", field: "@Default var field17: String",
      expected: "Property 'field17' has @Default without a value"),
    Mistake(
      name: "default that changes with each start", field: "@Default var field17: UUID = UUID()",
      expected: "The default of property 'field17' would be another one each time the program starts"),
    Mistake(
      name: "property inside two #if", field: "\n#if DEBUG\n#if DEBUG\nvar field17: Int\n#endif\n#endif\n",
      expected: "Property 'field17' is inside #if and has no column"),
    Mistake(
      name: "two keys", field: "@PrimaryKey var field17: Int",
      expected: "Properties 'field0' and 'field17' are both @PrimaryKey"),
    Mistake(
      name: "unknown property in an index",
      member: #"static let indexes = [Index<Wide>("i", on: \.feild17)]"#,
      expected: "'feild17' is not a property of 'Wide' with a column: did you mean 'field17'?"),
    Mistake(
      name: "unknown property in a constraint",
      member: #"static let constraints = [Constraint<Wide>.unique(\.field1, \.nothing)]"#,
      expected: "'nothing' is not a property of 'Wide' with a column"),
    Mistake(
      name: "constant with a value", field: "let field17: Int = 5",
      expected: "Property 'field17' is a constant with a value"),
    Mistake(name: "no type", field: "var field17 = 5", expected: "Property 'field17' has no type"),
    Mistake(
      name: "table written twice", member: "static let table = 5",
      expected: "@Model writes 'table': remove this one, or the attribute"),
    Mistake(
      name: "conformance written twice", head: "@Model(\"wide\") struct Wide: Model {",
      expected: "@Model writes the conformance of 'Wide': remove ': Model'", isWarning: true),
    Mistake(
      name: "one column for two properties", field: "@Column(\"field3\") var field17: Int",
      expected: "Properties 'field3' and 'field17' are both stored in column \"field3\""),
    Mistake(
      name: "property without a column and without a value", field: "@Transient var field17: Int",
      expected: "Property 'field17' is @Transient and needs a value"),
    Mistake(
      name: "lazy property", field: "lazy var field17: Int = 5",
      expected: "Property 'field17' is lazy and has no column: add @Transient"),
    Mistake(
      name: "attribute of a computed property", field: "@Unique var field17: Int { 5 }",
      expected: "Property 'field17' is not stored in the object and has no column: remove @Unique"),
    Mistake(
      name: "attributes that exclude each other", field: "@Transient @Unique var field17: Int = 5",
      expected: "Property 'field17' cannot have both @Transient and @Unique"),
    Mistake(
      name: "attribute written twice", field: "@Unique @Unique var field17: Int",
      expected: "Property 'field17' has @Unique twice"),
    Mistake(
      name: "property inside #if", field: "\n#if DEBUG\nvar field17: Int\n#endif\n",
      expected: "Property 'field17' is inside #if and has no column"),
    Mistake(
      name: "pattern", field: "var (field17, other) = (1, 2)",
      expected: "Columns need one property each: write a property for every value of '(field17, other)'"),
    Mistake(
      name: "class that is not final", head: "@Model(\"wide\") class Wide {",
      expected: "@Model requires a struct or a final class"),
    Mistake(
      name: "generic type", head: "@Model(\"wide\") struct Wide<Value> {", expected: "'Wide' is generic"),
  ]

  /// The same, and what only a fragment can have wrong.
  static let ofFragments =
    [
      Mistake(
        name: "columns written twice", member: "static let columns = 5", head: "@Fragment struct Wide {",
        expected: "@Fragment writes 'columns': remove this one, or the attribute"),
      Mistake(
        name: "conformance written twice", head: "@Fragment struct Wide: SchemaKit.Fragment {",
        expected: "@Fragment writes the conformance of 'Wide': remove ': Fragment'", isWarning: true),
      Mistake(
        name: "class that is not final", head: "@Fragment class Wide {",
        expected: "@Fragment requires a struct or a final class"),
      Mistake(name: "generic type", head: "@Fragment struct Wide<Value> {", expected: "'Wide' is generic"),
    ]
    + mistakes.filter { $0.head.hasSuffix(" Wide {") && !$0.head.contains("class") && $0.member.isEmpty }.map {
      var mistake = $0
      mistake.head = "@Fragment struct Wide {"
      return mistake
    }

  /// The source, and the line of the mistake.
  static func source(_ mistake: Mistake) -> (text: String, line: Int) {
    let types = ["Int", "String", "Double", "Bool"]
    var fields = (0..<40).map { "var field\($0): \(types[$0 % 4])" }
    fields[0] = "@PrimaryKey var field0: Int"
    fields[17] = mistake.field
    let lines =
      [
        "import Foundation", "import SchemaKit", "struct Odd {}", "@Fragment struct Part { var name: String }",
        mistake.head,
      ] + fields + [mistake.member, "}"]
    let text = lines.joined(separator: "\n")
    let marks = [
      mistake.member, mistake.field.split(separator: "\n").first { $0.contains("field17") }.map { String($0) },
    ]
    let isHead = mistake.member.isEmpty && mistake.field == "var field17: Int"
    let mark = isHead ? mistake.head : marks.compactMap { $0 }.first { !$0.isEmpty } ?? ""
    let line = text.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains(mark) } ?? -1
    return (text, line + 1)
  }

  @Test("is reported at its own line", arguments: mistakes + ofFragments)
  func reported(mistake: Mistake) throws {
    let (text, line) = Self.source(mistake)
    let result = try Compiler.check(text)
    #expect((result.status == 0) == mistake.isWarning, "\(result.output)")
    let first = result.messages.first { $0.hasPrefix("\(line): ") }
    #expect(first?.contains(mistake.expected) == true, "line \(line): \(result.messages)")
  }

  @Test("a model of 100 columns without a mistake compiles")
  func wide() throws {
    let fields = (1..<100).map { "var field\($0): \($0 % 2 == 0 ? "String" : "Double?")" }
    let model = ["import SchemaKit", "@Model(\"wide\") struct Wide {", "@PrimaryKey var field0: Int"] + fields + ["}"]
    let result = try Compiler.check(model.joined(separator: "\n"))
    #expect(result.status == 0, "\(result.output)")
    print("100 columns: \(result.seconds) s")
  }
}
