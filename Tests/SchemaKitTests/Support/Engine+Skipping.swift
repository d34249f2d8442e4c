import Testing

extension Engine {
  static func reason(_ feature: Feature) -> Comment { "SQLite \(version) here lacks \(feature.rawValue)" }

  /// Skips the test, or the case of its arguments that is running, if the engine lacks a feature.
  static func require(_ feature: Feature) throws {
    if !has(feature) { try skip(reason(feature)) }
  }

  /// Skips the test, or the case of its arguments that is running, if the engine lacks what its SQL needs.
  static func require(_ sql: String) throws {
    if let feature = missing(in: sql) { try skip(reason(feature)) }
  }

  /// Skips the test, or the case of its arguments that is running.
  static func skip(_ reason: Comment) throws {
    // The runner is silent about single cases; `make matrix` lists them all the same.
    if let test = Test.current, test.isParameterized {
      print("➜ Cases of \"\(test.displayName ?? test.name)\" skipped: \(reason)")
    }
    try Test.cancel(reason)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips what the running SQLite cannot do.
  static func needs(_ feature: Engine.Feature) -> Self {
    .enabled(if: Engine.has(feature), Engine.reason(feature))
  }
}
