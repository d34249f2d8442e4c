import Foundation
import FuzzEntries
import Testing

/// The fuzzers' inputs, and a few thousand accidents to them, the same in every run. `make fuzz` goes on where this ends.
@Suite("A short run of the fuzzers")
struct FuzzRunTests {
  private static func corpus(_ name: String) throws -> [(name: String, bytes: [UInt8])] {
    let folder = SourceTree.root.appendingPathComponent("Fuzz/Corpus/\(name)")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { file in
      (file, Array(try Data(contentsOf: folder.appendingPathComponent(file))))
    }
  }

  private static let words = [
    "CREATE TABLE ", " PRIMARY KEY", " NOT NULL", " DEFAULT ", " COLLATE ", " GENERATED ALWAYS AS (", " CHECK (", "--",
    "/*", "*/", "\"", "'", "[", "]", "(", ")", ",", ";", "x'0", "\u{0B}", "\u{FEFF}", " WITHOUT ROWID", " STRICT",
    "\u{1E}", "\u{1F}",
  ]

  @Test("SQL text is read as SQLite reads it, or refused with a typed error")
  func text() throws {
    // Where brackets are read in another way, a file with such types is refused.
    let inputs = try Self.corpus("sql").filter { $0.name != "quoted-types.sql" || Engine.has(.typesBehindBrackets) }
    #expect(inputs.count > 15)
    var mutator = InputMutator(seed: 1, words: Self.words)
    for (number, input) in inputs.enumerated() {
      try Self.check(input.name) { try SQLTextFuzz.run(input.bytes) }
      for round in 0..<40 {
        let other = inputs[(number + round) % inputs.count].bytes
        let bytes = mutator.mutated(input.bytes, with: other)
        try Self.check("\(input.name), accident \(round): \(String(decoding: bytes, as: UTF8.self))") {
          try SQLTextFuzz.run(bytes)
        }
      }
    }
  }

  @Test("database files end with a plan or a typed error, soon, and keep their bytes")
  func files() throws {
    let inputs = try Self.corpus("file")
    #expect(inputs.count > 15)
    var mutator = InputMutator(seed: 2, words: Self.words)
    for (number, input) in inputs.enumerated() {
      try Self.check(input.name) { try DatabaseFileFuzz.run(input.bytes) }
      for round in 0..<10 {
        let other = inputs[(number + round) % inputs.count].bytes
        let bytes = mutator.mutated(input.bytes, with: other)
        try Self.check("\(input.name), accident \(round)") { try DatabaseFileFuzz.run(bytes) }
      }
    }
  }

  private static func check(_ input: String, _ run: () throws -> Void) throws {
    do {
      try run()
    } catch let finding as FuzzFinding {
      Issue.record("\(finding) in \(input)")
    }
  }
}
