import OrderedCollections

// Virtual tables that have lost tables of their modules.
extension PlanBuilder {
  /// Returns the statements that make the lost tables of dropped virtual tables anew, where DROP TABLE needs them.
  ///
  /// *Cost:* creates each dropped virtual table in memory.
  func lostShadows(of comparison: Comparison) throws -> [SQLName: [String]] {
    guard !request.isForRecording else { return [:] }
    let dropped = comparison.diff.virtualTables.compactMap(\.old).map { comparison.renames.formerTable($0.name) }
    let tables = dropped.compactMap { comparison.source.virtualTables[$0] }.filter(\.isModuleLoaded)
    let statements = try tables.map {
      ($0.name, try ModuleTables(of: $0.sql)?.lost(in: connection).flatMap(\.statements) ?? [])
    }
    return Dictionary(statements) { first, _ in first }.filter { !$0.value.isEmpty }
  }

  /// Returns the hazards of virtual tables whose lost tables may not be made anew.
  func hazardsOfRestoring(_ tables: [SQLName: [String]]) -> [Hazard] {
    tables.sorted { $0.key < $1.key }.compactMap { name, statements in
      let isAllowed =
        !profile.protectsShadowTables && statements.prefix(1).allSatisfy { (try? connection.prepareOnly($0)) != nil }
      guard !isAllowed else { return nil }
      return Hazard(
        .unsupportedEngine, table: name,
        cause: HazardCause(UnsupportedEngineHazard.protectedTables(profile: profile.name?.rawValue)))
    }
  }
}
