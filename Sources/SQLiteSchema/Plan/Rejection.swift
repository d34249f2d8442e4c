/// The reason against a strategy for a table: a code, and the names that it is about.
///
/// Nothing decides by the sentence, which stands beside the code in the file of its strategy.
public struct Rejection: Sendable, Hashable, Codable {
  /// A kind of reason. In JSON and saved plans it is its name.
  public struct Code: PlanCode {
    public let rawValue: String
    /// True for a strategy that is possible and dearer than another.
    package let isOfCost: Bool
    package let clause: @Sendable (ClauseValues<String>) -> String

    package init(
      _ rawValue: String, isOfCost: Bool = false, _ clause: @escaping @Sendable (ClauseValues<String>) -> String
    ) {
      self.rawValue = rawValue
      self.isOfCost = isOfCost
      self.clause = clause
    }

    package init(_ rawValue: String, isOfCost: Bool = false, _ clause: String) {
      self.init(rawValue, isOfCost: isOfCost) { _ in clause }
    }
  }

  /// The kind of reason.
  public var code: Code
  /// The names, expressions or numbers that the sentence mentions, in its order.
  public var values: [String]

  package init(_ code: Code, _ values: String...) {
    self.code = code
    self.values = values
  }
}

/// The reason for the chosen strategy, or for the step itself.
public struct Motive: Sendable, Hashable, Codable {
  /// A kind of motive. In JSON and saved plans it is its name.
  public struct Code: PlanCode {
    public let rawValue: String
    package let clause: @Sendable (ClauseValues<Int>) -> String

    package init(_ rawValue: String, _ clause: @escaping @Sendable (ClauseValues<Int>) -> String) {
      self.rawValue = rawValue
      self.clause = clause
    }

    package init(_ rawValue: String, _ clause: String) { self.init(rawValue) { _ in clause } }
  }

  /// The kind of motive.
  public var code: Code
  /// The numbers that the sentence mentions, in its order.
  public var values: [Int]

  package init(_ code: Code, _ values: Int...) {
    self.code = code
    self.values = values
  }
}

/// A code with its clause. Two codes are the same if they have the same name.
public protocol PlanCode: Sendable, Hashable, Codable, CaseIterable, RawRepresentable where RawValue == String {}

extension PlanCode {
  /// The code with this name; nil if there is none.
  public init?(rawValue: String) {
    guard let code = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = code
  }

  public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// The values that a clause mentions, by their places.
package struct ClauseValues<Value: Sendable & CustomStringConvertible>: Sendable {
  package let values: [Value]

  package init(_ values: [Value]) { self.values = values }

  package subscript(_ index: Int) -> String { values.indices.contains(index) ? "\(values[index])" : "?" }

  package func number(_ index: Int) -> Int { Int(self[index]) ?? 0 }

  /// A number with its noun: 3 tables.
  package func counted(_ index: Int, _ noun: String) -> String { number(index).counted(noun) }

  /// A word that goes with a number.
  package func word(_ index: Int, _ singular: String, _ plural: String) -> String {
    number(index) == 1 ? singular : plural
  }
}

extension Rejection.Code {
  /// Every code, those of the strategies after those that any of them may have.
  public static let allCases: [Rejection.Code] =
    [refusedBySQLite, renameRefusedBySQLite, costsMore] + MigrationStep.Strategy.allCases.flatMap(\.rejections)

  /// A statement failed on the clone of the file's schema.
  package static let refusedBySQLite = Self("refusedBySQLite") { "SQLite refused it: \($0[0])" }
  package static let renameRefusedBySQLite = Self("renameRefusedBySQLite") { $0[0] }
  package static let costsMore = Self("costsMore", isOfCost: true) { "about \($0[0]) times the work" }
}

extension Motive.Code {
  /// Every motive, those of the strategies after those of other steps.
  public static let allCases: [Motive.Code] =
    [indexedTextChanges, rereadBySQLite, updateMustNotFireIt, addedColumnsComeLast]
    + MigrationStep.Strategy.allCases.flatMap(\.motives)

  /// The texts that a full-text index finds change.
  package static let indexedTextChanges = Self("indexedTextChanges", "what it finds changes")
  package static let rereadBySQLite = Self("rereadBySQLite", "SQLite re-reads it during the change")
  package static let updateMustNotFireIt = Self(
    "updateMustNotFireIt", "rows are updated in place, which must not fire it")
  /// A column that an undo brings back becomes the last one, not the one that it was.
  package static let addedColumnsComeLast = Self(
    "addedColumnsComeLast", "an added column comes last; to put it in its place takes a strict order, and a copy")
}
