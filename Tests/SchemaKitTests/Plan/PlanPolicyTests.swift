import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("PlanPolicy")
struct PlanPolicyTests {
  private func hazard(
    _ code: HazardCode, table: SQLName = "t", column: SQLName? = nil, consented: Bool = false, potential: Bool = false
  ) -> Hazard {
    var hazard = Hazard(code, table: table, column: column, count: 1, cause: HazardCause(DroppedTableHazard()))
    hazard.isConsentedByDeclaration = consented
    hazard.isPotential = potential
    return hazard
  }

  @Test(
    "each code by itself, under nothing, under everything, and with its own consent", arguments: HazardCode.allCases)
  func codes(code: HazardCode) {
    let hazard = hazard(code)
    #expect(PlanPolicy.lossless.permits(hazard) == (code.hazardClass == .note))
    let everything = PlanPolicy(allowing: [.lossy, .destructive, .fault].map { .init(.hazardClass($0)) })
    #expect(everything.permits(hazard) == (code.hazardClass != .blocked))
    #expect(PlanPolicy(allowing: [.init(.code(code))]).permits(hazard) == (code.hazardClass != .blocked))
    #expect(
      PlanPolicy(allowing: [.init(.hazardClass(code.hazardClass))]).permits(hazard)
        == (code.hazardClass != .blocked))
  }

  @Test("destructive consent is not lossy consent, nor the other way round")
  func classesApart() {
    #expect(!PlanPolicy.destructive.permits(hazard(.lossyConversion)))
    #expect(!PlanPolicy(allowing: [.init(.hazardClass(.lossy))]).permits(hazard(.droppedColumn)))
  }

  @Test("consent for a table covers its columns; consent for a column covers nothing else")
  func objects() {
    let table = PlanPolicy(allowing: [.init(.code(.droppedColumn), table: "T")])
    #expect(table.permits(hazard(.droppedColumn, column: "a")))
    #expect(!table.permits(hazard(.droppedColumn, table: "u", column: "a")))
    #expect(!table.permits(hazard(.droppedTable)))
    let column = PlanPolicy(allowing: [.init(.hazardClass(.destructive), table: "t", column: "A")])
    #expect(column.permits(hazard(.droppedColumn, column: "a")))
    #expect(!column.permits(hazard(.droppedColumn, column: "b")))
    #expect(!column.permits(hazard(.droppedTable)))
  }

  @Test("consent in the declaration helps a loss and not what is blocked")
  func declared() {
    #expect(PlanPolicy.lossless.permits(hazard(.droppedColumn, consented: true)))
    #expect(!PlanPolicy.lossless.permits(hazard(.duplicates, consented: true)))
  }

  @Test("what concerns no row here needs no consent")
  func potential() {
    #expect(PlanPolicy.lossless.permits(hazard(.droppedTable, potential: true)))
  }

  @Test("--allow is read in all its forms")
  func options() throws {
    var policy = PlanPolicy()
    #expect(try policy.add(allow: "lossy") == .init(.hazardClass(.lossy)))
    #expect(try policy.add(allow: "Destructive:users") == .init(.hazardClass(.destructive), table: "users"))
    #expect(
      try policy.add(allow: "sk102:users.\"old name\"")
        == .init(.code(.droppedColumn), table: "users", column: "old name"))
    #expect(!policy.allowsDowngrade)
    #expect(try policy.add(allow: "downgrade") == nil)
    #expect(policy.allowsDowngrade)
    #expect(policy.allowances.count == 3)
  }

  @Test(
    "what no consent can allow, or nobody knows, is an error and changes nothing",
    arguments: [
      ("", .unknown("")), (":t", .unknown("")), ("SK999", .unknown("SK999")),
      ("SK104", .noConsentForCode(.nullsUnderNotNull)), ("SK209", .noConsentForCode(.existingViolations)),
      ("blocked", .noConsentForClass), ("note", .noConsentForClass), ("SK102:", .noObject), ("SK102:a.b.c", .noObject),
      ("SK102:a.", .noObject), ("lossy destructive", .unknown("lossy destructive")), ("SK102,SK103", .several),
    ] as [(String, AllowOptionError.Problem)])
  func wrongOptions(text: String, problem: AllowOptionError.Problem) {
    var policy = PlanPolicy()
    #expect(throws: AllowOptionError(text: text, problem: problem)) { try policy.add(allow: text) }
    #expect(policy == PlanPolicy())
  }
}

extension Hazard {
  /// The hazard where no row here is concerned, and rows elsewhere could be.
  var potential: Hazard {
    var hazard = self
    hazard.isPotential = true
    return hazard
  }
}
