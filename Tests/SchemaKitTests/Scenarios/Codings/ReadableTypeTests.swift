import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Rows that another Swift type reads")
struct ReadableTypeTests {
  enum Old {
    enum State: String, ColumnValue, CaseIterable { case open, done }
    enum Level: Int, ColumnValue, CaseIterable { case low, high }
    enum Kind: String, ColumnValue { case open, done }
    struct Point: JSONColumnValue, Equatable { var lat: Double }
    struct Trip: JSONColumnValue, Equatable { var stops: [Point] }
  }
  enum New {
    enum State: Int, ColumnValue, CaseIterable {
      case done = 7
      case open
    }
    enum Level: Int, ColumnValue, CaseIterable { case none, low, high }
    enum Kind: Int, ColumnValue { case open, done }
    struct Point: JSONColumnValue, Equatable {
      var lat: Double
      var lon: Double
    }
    struct Trip: JSONColumnValue, Equatable { var stops: [Point] }
  }
  enum Optional {
    struct Point: JSONColumnValue, Equatable {
      var lat: Double
      var lon: Double?
    }
  }
  enum OldState: StoredAs { typealias Value = Old.State }
  enum NewState: StoredAs { typealias Value = New.State }
  enum OldLevel: StoredAs { typealias Value = Old.Level }
  enum NewLevel: StoredAs { typealias Value = New.Level }
  enum OldKind: StoredAs { typealias Value = Old.Kind }
  enum NewKind: StoredAs { typealias Value = New.Kind }
  enum OldPoint: StoredAs { typealias Value = Old.Point }
  enum NewPoint: StoredAs { typealias Value = New.Point }
  enum OptionalPoint: StoredAs { typealias Value = Optional.Point }
  enum OldTrip: StoredAs { typealias Value = Old.Trip }
  enum NewTrip: StoredAs { typealias Value = New.Trip }

  private func refuses<Old, New>(
    _ old: StoringProgram<Old>, _ values: [Old?], _ new: StoringProgram<New>, keys: [String]
  ) throws {
    let file = try old.file(values)
    let before = try file.query("SELECT id, value, typeof(value) FROM t")
    let plan = try new.plan(file)
    let hazard = try #require(plan.hazards.first { $0.code == .unreadable }, "\(plan.hazards)")
    #expect(hazard.hazardClass == .blocked && hazard.samples == keys && hazard.count == keys.count)
    #expect(hazard.remedy?.contains("converting(sql:)") == true)
    #expect(!plan.hazards.contains { $0.message.contains("every value") })
    #expect(throws: PlanError.self) { try new.open(file.path, .automatic(.everything)) { _ in } }
    #expect(try file.query("SELECT id, value, typeof(value) FROM t") == before)
    #expect(try old.values(file.path) == values)
  }

  @Test("a text that is no number blocks a number, although SQLite would keep it")
  func texts() throws {
    try refuses(StoringProgram(Words.self), ["12", "free", nil], StoringProgram(Numbers.self), keys: ["2"])
  }

  @Test("a number beyond the new type blocks it, where no definition changes")
  func numbers() throws {
    try refuses(StoringProgram(Numbers.self), [300, -128, 128], StoringProgram(Bytes.self), keys: ["1", "3"])
    try refuses(StoringProgram(Numbers.self), [0, 1, 2], StoringProgram(Truths.self), keys: ["3"])
  }

  @Test("a raw value that no case has blocks an enumeration whose former cases are not known")
  func rawValues() throws {
    try refuses(StoringProgram(OldKind.self), [.done, nil], StoringProgram(NewKind.self), keys: ["1"])
  }

  @Test("a key that JSON lacks blocks a type that asks for it, whatever the type is called")
  func keys() throws {
    try refuses(StoringProgram(OldPoint.self), [Old.Point(lat: 1)], StoringProgram(NewPoint.self), keys: ["1"])
    try refuses(
      StoringProgram(OldTrip.self), [Old.Trip(stops: []), Old.Trip(stops: [Old.Point(lat: 1)])],
      StoringProgram(NewTrip.self), keys: ["2"])
  }

  @Test("a key that may be missing blocks nothing")
  func optionalKeys() throws {
    let file = try StoringProgram(OldPoint.self).file([Old.Point(lat: 1)])
    let new = StoringProgram(OptionalPoint.self)
    #expect(try new.plan(file).isEmpty)
    #expect(try new.values(file.path) == [Optional.Point(lat: 1, lon: nil)])
  }

  @Test("bytes that are no text in UTF-8 block a text")
  func bytes() throws {
    let file = try StoringProgram(Numbers.self).file([1])
    try file.exec("INSERT INTO t VALUES (5, CAST(x'ff' AS TEXT)), (6, x'41')")
    let hazard = try #require(try StoringProgram(Words.self).plan(file).hazards.first { $0.code == .unreadable })
    #expect(hazard.count == 2 && hazard.samples == ["5", "6"])
  }

  @Test("values that the new type reads stay, and the second open compares nothing")
  func readable() throws {
    let file = try StoringProgram(Words.self).file(["12", nil, "-3"])
    let new = StoringProgram(Numbers.self)
    #expect(try new.plan(file).hazards.contains { $0.message.contains("every value here survives") })
    #expect(try new.values(file.path) == [12, nil, -3])
    let small = StoringProgram(Bytes.self)
    #expect(try small.plan(file).isEmpty)
    #expect(try small.values(file.path) == [12, nil, -3])
    try small.open(file.path) { if case .warm = $0.openReport {} else { Issue.record("the file was compared") } }
  }

  @Test("cases keep their names when an enumeration gets other raw values")
  func cases() throws {
    let (old, new) = (StoringProgram(OldState.self), StoringProgram(NewState.self))
    let file = try old.file([.open, .done, nil])
    #expect(try new.values(file.path) == [.open, .done, nil])
    #expect(try file.value("SELECT group_concat(value) FROM t") == .text("8,7"))
    let (few, more) = (StoringProgram(OldLevel.self), StoringProgram(NewLevel.self))
    let levels = try few.file([.low, .high])
    // A case in front of the others gives each of them another number.
    #expect(try more.values(levels.path) == [.low, .high])
    #expect(try levels.value("SELECT group_concat(value) FROM t") == .text("1,2"))
    try MigrationUndo(at: levels.path).apply()
    #expect(try levels.value("SELECT group_concat(value) FROM t") == .text("0,1"))
  }

  struct Converting: Model {
    let id: Int64?
    var value: New.Kind?
    static let table = ModelTable("t", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("value", \.value).converting(sql: "CASE value WHEN 'open' THEN 0 WHEN 'done' THEN 1 END")
    }
  }

  struct Small: Model {
    let id: Int64?
    var value: Int8?
    static let table = ModelTable("t", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("value", \.value).converting(sql: "min(value, 127)")
    }
  }

  @Test(
    "a declared conversion serves a type that stays in SQL, once in each file, and is checked by the type that reads")
  func conversions() throws {
    let kinds = try StoringProgram(OldKind.self).file([.done, .open, nil])
    let session = try Session(at: kinds.path, schema: ModelSchema { Converting.self })
    #expect(try session.all(Converting.self).map(\.value) == [.done, .open, nil])
    try session.close()

    let file = try StoringProgram(Numbers.self).file([300, 5])
    let schema = ModelSchema { Small.self }
    let plan = try SchemaInspector(at: file.path).plan(to: schema)
    #expect(!plan.isEmpty && plan.refusals(under: .lossless).isEmpty)
    #expect(!plan.hazards.contains { $0.code == .unusedHint || $0.message.contains("not done") })
    let small = try Session(at: file.path, schema: schema)
    #expect(try small.all(Small.self).map(\.value) == [127, 5])
    try small.save(Small(id: 9, value: 1))
    try small.close()
    let again = try Session(at: file.path, schema: schema)
    if case .warm = again.openReport {} else { Issue.record("the conversion is not known to be done") }
    try again.close()

    try StoringProgram(Numbers.self).file([-200]).copy { other in
      let hazard = try #require(
        try SchemaInspector(at: other.path).plan(to: schema).hazards.first { $0.code == .unreadable })
      #expect(hazard.count == 1 && hazard.hazardClass == .blocked)
    }
  }

  @Test("work on the rows may make them readable, and is taken back with everything where it does not")
  func dataSteps() throws {
    for (sql, isEnough) in [
      ("UPDATE t SET value = 0 WHERE value = 'free'", true), ("UPDATE t SET value = 'none'", false),
    ] {
      let file = try StoringProgram(Words.self).file(["12", "free"])
      let schema = ModelSchema {
        StoredRow<Numbers>.self
        DataStep("numbers", after: .schemaChanged) { _ = try $0.execute(SQL(raw: sql)) }
      }
      if isEnough {
        let session = try Session(at: file.path, schema: schema)
        #expect(try session.all(StoredRow<Numbers>.self).map(\.value) == [12, 0])
        try session.close()
      } else {
        #expect(throws: ApplyError.self) { try Session(at: file.path, schema: schema) }
        #expect(try file.value("SELECT group_concat(value) FROM t") == .text("12,free"))
      }
    }
  }

  @Test("without a look at the rows, another type waits for one")
  func quick() throws {
    let file = try StoringProgram(Numbers.self).file([1])
    #expect(throws: PlanError.self) { try StoringProgram(Bytes.self).open(file.path, isQuick: true) { _ in } }
    try StoringProgram(Bytes.self).open(file.path) { _ in }
    try StoringProgram(Bytes.self).open(file.path, isQuick: true) { _ in }
  }
}

extension TemporaryDatabase {
  /// Keeps the file while a body uses it.
  fileprivate func copy(_ body: (TemporaryDatabase) throws -> Void) throws { try body(self) }
}
