extension SchemaPair {
  /// Makes the pair of a seed; a draw that SQLite refuses is thrown away and the next one taken.
  ///
  /// - Parameter prefersReferences: Whether nearly all tables refer to others, with actions, and all rows to rows.
  package static func make(seed: Int, prefersReferences: Bool = false) throws -> SchemaPair {
    for attempt in 0..<200 {
      if let pair = try draw(seed: seed, attempt: attempt, prefersReferences) { return pair }
    }
    throw RawSQLiteError(code: 0, message: "no acceptable pair for seed \(seed)", sql: "")
  }

  private static func draw(seed: Int, attempt: Int, _ prefersReferences: Bool) throws -> SchemaPair? {
    var artist = SchemaGenerator(seed: seed &* 1_000 &+ attempt)
    artist.prefersReferences = prefersReferences
    artist.drawSchema()
    let old = artist.sketch
    var pair = SchemaPair(seed: seed)
    pair.isHostile = artist.random.chance(24)
    pair.hasForeignKeysOn = artist.random.chance(90) || prefersReferences
    var spelling = SchemaSpelling(of: old, seed: artist.random.number(0...1_000_000_000))
    pair.oldDDL = spelling.statements()
    guard let before = accepted(pair.oldDDL, of: old) else { return nil }
    if !pair.hasForeignKeysOn { try before.exec("PRAGMA foreign_keys = OFF") }
    var maker = RowMaker(seed: artist.random.number(0...1_000_000_000))
    try maker.fill(before, from: old)
    pair.rows = maker.statements

    let wanted = artist.random.pick([1, 1, 2, 2, 3, 4, 5, 6])
    for step in 1...wanted {
      for _ in 0..<12 where try mutate(&artist, &pair, from: old, before: before, isLast: step == wanted) { break }
    }
    if pair.isHostile, pair.mutations.isEmpty || pair.rows.isEmpty { return nil }
    for _ in 0..<30 where pair.isHostile {
      if try SchemaOracle.targetRejects(before: before, pair: pair) { break }
      _ = try mutate(&artist, &pair, from: old, before: before, isLast: false, among: SketchMutation.tightening)
    }
    if pair.mutations.isEmpty { return nil }
    if artist.random.chance(2) { pair.addBrokenView(staysBroken: artist.random.chance(50)) }
    return pair
  }

  /// Tries one random change; keeps it only when SQLite accepts the result and, unless hostile, the rows fit.
  private static func mutate(
    _ artist: inout SchemaGenerator, _ pair: inout SchemaPair, from old: SchemaSketch, before: RawSQLite, isLast: Bool,
    among kinds: [SketchMutation] = SketchMutation.allCases
  ) throws -> Bool {
    let kept = artist.sketch
    let mutation = artist.random.pick(kinds)
    if mutation == .swapColumns, !isLast || artist.random.chance(50) { return false }
    // Whether two names were exchanged is told by what the columns are like. A key that changed as well can make both
    // answers equally near, which is refused.
    let exclusive: Set<SketchMutation> = [.swapColumns, .changePrimaryKey]
    if exclusive.contains(mutation), pair.mutations.contains(where: { $0 != mutation && exclusive.contains($0) }) {
      return false
    }
    var candidate = pair
    candidate.mutations.append(mutation)
    if artist.apply(mutation) {
      var spelling = SchemaSpelling(of: artist.sketch, seed: artist.random.number(0...1_000_000_000))
      candidate.newDDL = spelling.statements()
      candidate.trace(from: old, to: artist.sketch)
      let fits = namesAreClear(from: old, to: artist.sketch) && accepted(candidate.newDDL, of: artist.sketch) != nil
      if fits, try pair.isHostile || !SchemaOracle.targetRejects(before: before, pair: candidate) {
        pair = candidate
        return true
      }
    }
    artist.sketch = kept
    return false
  }

  /// A database in memory with the schema, if SQLite takes it and every table and view works.
  private static func accepted(_ statements: [String], of sketch: SchemaSketch) -> RawSQLite? {
    guard let file = try? RawSQLite() else { return nil }
    do {
      try file.exec("PRAGMA foreign_keys = ON; BEGIN")
      for sql in statements { try file.exec(sql) }
      try file.exec("COMMIT")
      for table in sketch.tables {
        let name = SchemaOracle.quoted(table.name)
        let assignments = table.ordinary.map { SchemaOracle.quoted($0.name) }.map { "\($0) = \($0)" }
        try file.compiles("INSERT INTO \(name) DEFAULT VALUES")
        try file.compiles("UPDATE \(name) SET \(assignments.joined(separator: ", "))")
        try file.compiles("DELETE FROM \(name)")
      }
      for view in sketch.views {
        let name = SchemaOracle.quoted(view.name)
        try file.compiles("SELECT * FROM \(name)")
        for statement in ["DELETE FROM \(name)", "INSERT INTO \(name) DEFAULT VALUES"]
          + (view.outputs.first.map {
            ["UPDATE \(name) SET \(SchemaOracle.quoted($0.alias)) = 1"]
          } ?? [])
        {
          do { try file.compiles(statement) } catch let error as RawSQLiteError
            where error.message.hasSuffix("because it is a view")
          {}
        }
      }
      return file
    } catch {
      return nil
    }
  }

  /// True when hints say without doubt which column became which.
  ///
  /// A name that moves to another column must be given up by a column that lives on under a new one, and the two
  /// sides of a swap must be otherwise unchanged, or the swap can't be told from two changes in place.
  private static func namesAreClear(from old: SchemaSketch, to new: SchemaSketch) -> Bool {
    old.tables.allSatisfy { table in
      guard let successor = new.tables.first(where: { $0.id == table.id }) else { return true }
      let heirs = Dictionary(uniqueKeysWithValues: successor.columns.map { ($0.id, $0) })
      let takers = table.columns.filter { column in
        guard let heir = heirs[column.id] else { return false }
        return table.columns.contains { $0.id != column.id && asciiFolded($0.name) == asciiFolded(heir.name) }
      }
      return takers.allSatisfy { column in
        guard let heir = heirs[column.id],
          let giver = table.columns.first(where: { asciiFolded($0.name) == asciiFolded(heir.name) }),
          heirs[giver.id] != nil
        else { return false }
        let isCycle = successor.columns.contains { asciiFolded($0.name) == asciiFolded(column.name) }
        return !isCycle
          || heir.type == column.type && heir.isRequired == column.isRequired
            && heir.defaultText == column.defaultText && heir.collation == column.collation
      }
    }
  }

  private mutating func addBrokenView(staysBroken: Bool) {
    let name = "broken view"
    oldDDL.append("CREATE VIEW \"\(name)\" AS SELECT missing FROM nowhere")
    if staysBroken { newDDL.append("create view [\(name)] as select missing from nowhere") }
    brokenView = name
  }
}
