import Foundation

@testable import SQLiteSchema
@testable import SchemaKit

/// A random pair of schemas, a file of the first with odd things in it, and a way to the second.
struct AgreementPair {
  enum Way: String, CaseIterable {
    case auto, alter, rebuild, online, script, fleet
    /// Inside an open transaction of somebody else, whose connection protects the catalog.
    case transaction
  }

  var pair: SchemaPair
  var oddities: [FileOddity] = []
  var way = Way.auto
  var isUndone = false

  static func make(seed: Int) throws -> AgreementPair {
    var agreement = AgreementPair(pair: try SchemaPair.make(seed: seed))
    var random = SeededGenerator(seed: seed &* 7_919)
    let kinds = FileOddity.Kind.allCases.filter { $0 != .lostShadow || Engine.has(.fts5) }
    for number in 1...random.pick([1, 1, 2, 2, 3]) {
      agreement.oddities.append(
        FileOddity(random.pick(kinds), random.pick(FileOddity.Fate.allCases), number: number))
    }
    agreement.way = random.pick([.auto, .auto, .auto] + Way.allCases)
    agreement.isUndone = random.chance(30)
    return agreement
  }

  var script: String { pair.newScript + SchemaPair.script(oddities.flatMap(\.target)) }

  func target() throws -> TargetSchema {
    var target = try TemporaryDatabase.target(script)
    for hint in pair.hints { try target.hints.add(rename: hint) }
    return target
  }

  /// Makes the file.
  func build(_ path: String) throws {
    let file = try RawSQLite(path)
    try file.exec("PRAGMA synchronous = OFF")
    try pair.fill(file)
    try file.exec("PRAGMA foreign_keys = OFF; BEGIN")
    for sql in oddities.flatMap(\.written) { try file.exec(sql) }
    try file.exec("COMMIT")
    file.close()
    let edits = oddities.flatMap(\.edits)
    if !edits.isEmpty {
      let editor = try RawSQLite(path)
      try editor.exec("PRAGMA writable_schema = ON")
      for sql in edits { try editor.exec(sql) }
      try editor.exec("PRAGMA schema_version = 1000")
      editor.close()
    }
    guard way == .online else { return }
    let journal = try RawSQLite(path)
    try journal.exec("PRAGMA journal_mode = WAL")
    journal.close()
  }
}

extension AgreementPair: CustomStringConvertible {
  var description: String {
    """
    SCHEMAKIT_AGREEMENT_SEED=\(pair.seed) SCHEMAKIT_AGREEMENT_CASES=1, by \(way.rawValue)\(isUndone ? ", then undone" : "")
    \(oddities)
    \((oddities.flatMap(\.written) + oddities.flatMap(\.edits)).joined(separator: ";\n"))
    \(pair)
    --- odd in the new schema
    \(SchemaPair.script(oddities.flatMap(\.target)))
    """
  }
}
