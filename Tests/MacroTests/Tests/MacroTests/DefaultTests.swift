import Foundation
import SchemaKit
import Testing

/// What `@Default` takes and refuses: the message names the property, whatever its type.
@Suite("Defaults in @Model", .serialized)
struct DefaultTests {
  struct Written: Sendable, CustomTestStringConvertible {
    let type: String
    let value: String
    /// What the value is, in words.
    var literal = ""

    var testDescription: String { "\(type) = \(value)" }
  }

  /// What the compiler says of one property with this default, in its line.
  private func messages(_ type: String, _ value: String) throws -> [String] {
    let result = try Compiler.check(
      """
      import Foundation
      import SchemaKit
      enum Mode: String, ColumnValue, Codable { case now, random, randomised }
      struct Word: RawRepresentable, ColumnValue, Codable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
        let rawValue: String
        init(rawValue: String) { self.rawValue = rawValue }
        init(stringLiteral: String) { rawValue = stringLiteral }
        init(arrayLiteral: Int...) { rawValue = "list" }
      }
      @Model("holders") struct Holder {
        static let randomWord = "random"
        @Default var value: \(type) = \(value)
      }
      """)
    return result.messages.filter { $0.hasPrefix("12: ") } + (result.status == 0 ? [] : ["failed"])
  }

  static let changing = [
    Written(type: "Int", value: ".random(in: 1...6)"),
    Written(type: "Int", value: "Int.random(in: 1...6)"),
    Written(type: "Bool", value: ".random()"),
    Written(type: "Int", value: "[1, 2].randomElement()!"),
    Written(type: "[Int]", value: "[1, 2].shuffled()"),
    Written(type: "UUID", value: "UUID()"),
    Written(type: "UUID?", value: ".init()"),
    Written(type: "String", value: "UUID().uuidString"),
    Written(type: "Date", value: "Foundation.Date.init()"),
    Written(type: "Date", value: "Date(timeIntervalSinceNow: 5)"),
    Written(type: "Date", value: ".now"),
    Written(type: "Optional<Date>", value: ".now.addingTimeInterval(5)"),
    Written(type: "Double", value: "Date.now.timeIntervalSince1970"),
  ]

  @Test("a value that is another one each time is refused", arguments: changing)
  func refusesChanging(_ value: Written) throws {
    let expected = "The default of property 'value' would be another one each time the program starts"
    let messages = try self.messages(value.type, value.value)
    #expect(messages.first?.contains(expected) == true, "\(messages)")
  }

  static let accepted = [
    Written(type: "String", value: "\"random\""),
    Written(type: "String", value: "Holder.randomWord"),
    Written(type: "String", value: "\"UUID() or Date()\""),
    Written(type: "Mode", value: ".random"),
    Written(type: "Mode", value: "Mode.randomised"),
    Written(type: "Mode", value: ".now"),
    Written(type: "[Mode]", value: ".init()"),
    Written(type: "Date", value: "Date(timeIntervalSince1970: 5)"),
    Written(type: "Date", value: ".distantPast"),
    Written(type: "Data", value: "Data()"),
    Written(type: "Word", value: "\"word\""),
    Written(type: "Word", value: "[1, 2]"),
    Written(type: "[Word]", value: "[\"word\", [1, 2]]"),
    Written(type: "Word?", value: "nil"),
    Written(type: "Optional<Int>", value: "nil"),
    Written(type: "Optional<Int>", value: "-5"),
    Written(type: "Int!", value: "5"),
    Written(type: "Swift.Double", value: "5"),
    Written(type: "Set<Int>", value: "[1, 2]"),
    Written(type: "[Int?]", value: "[1, nil]"),
    Written(type: "[[Int]]", value: "[[1], []]"),
    Written(type: "[String: Int]", value: "[:]"),
  ]

  @Test("a value that only looks like a wrong one is accepted", arguments: accepted)
  func accepts(_ value: Written) throws {
    let messages = try self.messages(value.type, value.value)
    #expect(messages.isEmpty, "\(messages)")
  }

  static let unsuitable = [
    Written(type: "Date", value: "\"2020-01-01\"", literal: "a string"),
    Written(type: "Foundation.Date", value: "0", literal: "a whole number"),
    Written(type: "UUID", value: "\"6F9619FF\"", literal: "a string"),
    Written(type: "Data?", value: "\"a\"", literal: "a string"),
    Written(type: "Data", value: "[1, 2]", literal: "a list"),
    Written(type: "[String]", value: "\"a\"", literal: "a string"),
    Written(type: "[String]", value: "[:]", literal: "a dictionary"),
    Written(type: "[String]", value: "nil", literal: "nil"),
    Written(type: "[Int]", value: "[1, \"a\"]", literal: "a list with a string"),
    Written(type: "Array<Int>", value: "[true]", literal: "a list with true or false"),
    Written(type: "Set<Int>", value: "5", literal: "a whole number"),
    Written(type: "[String: Int]", value: "[]", literal: "a list"),
    Written(type: "Optional<Int>", value: "\"a\"", literal: "a string"),
    Written(type: "Int!", value: "1.5", literal: "a number with a fraction"),
    Written(type: "Swift.Int", value: "nil", literal: "nil"),
    Written(type: "Int", value: "[]", literal: "a list"),
    Written(type: "String", value: "[\"a\"]", literal: "a list"),
    Written(type: "Bool", value: "[:]", literal: "a dictionary"),
    Written(type: "Decimal", value: "\"1.5\"", literal: "a string"),
  ]

  @Test("a literal that cannot be of the property's type is refused", arguments: unsuitable)
  func refusesUnsuitable(_ value: Written) throws {
    let expected = "The default of property 'value' is \(value.literal), but its type is "
    let messages = try self.messages(value.type, value.value)
    #expect(messages.contains { $0.contains(expected) }, "\(messages)")
  }

  @Test("an initializer that takes a property named row does not read rows")
  func rowInitializer() throws {
    let session = try Session(
      inMemory: ModelSchema {
        Seat.self
        Bench.self
      })
    try session.save(Seat(row: 3))
    try session.save(Bench(row: 4))
    #expect(try session.first(Seat.self)?.row == 3)
    #expect(try session.first(Bench.self)?.row == 4)
  }
}

@Model("seats") struct Seat {
  @PrimaryKey var row: Int

  init(row: Int) { self.row = max(row, 1) }
}

@Model("benches") final class Bench {
  @PrimaryKey let row: Int

  init(row: Int) { self.row = row }
}
