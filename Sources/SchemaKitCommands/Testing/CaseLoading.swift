import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations
import SchemaKitTesting

/// Finds what each case of a test is brought to, and with which consent.
struct CaseLoading {
  var target: TargetLoading
  var options: TargetOptions
  var migrations: String?
  var models: ModelSchema?
  /// The consent of the command line.
  var policy: PlanPolicy

  /// A case that can be tried.
  struct Loaded {
    var upgrade: UpgradeCase
    /// The name of the schema that its file is to have.
    var targetName: String
    var trial: UpgradeTrial
  }

  /// A schema on the way, or the last one.
  private enum Destination {
    case schema(TargetSchema)
    case models(ModelSchema)
    case recorded(RecordedTarget)
  }

  /// Loads what the cases need, in their order.
  func trials(of cases: [UpgradeCase]) throws -> [Loaded] {
    let settings = try cases.map { try $0.settings.map { try CaseSettings(reading: $0) } ?? CaseSettings() }
    let vintages = cases.indices.filter { cases[$0].target == nil }
    let newest = vintages.isEmpty ? nil : try newestSchema()
    var stops: [Int: Stop] = [:]
    for index in vintages where vintages.count > 1 {
      stops[index] = try newest.flatMap { try stop(cases[index], settings[index], newest: $0.destination) }.map {
        (cases[index].name, $0)
      }
    }
    return try cases.indices.map { index in
      if let path = cases[index].target { return try loaded(cases[index], settings[index], to: path) }
      guard let newest else { throw CommandError.missingSchema }
      let later = vintages.filter { $0 > index }.compactMap { stops[$0] }
      return try loaded(cases[index], settings[index], over: Self.way(from: stops[index], later, to: newest))
    }
  }

  private typealias Stop = (name: String, destination: Destination)

  /// The stops of a file on its way version by version.
  ///
  /// It begins at the file's own release, whose program has opened the file: one that is taken back to a schema which it once
  /// had is refused.
  private static func way(from own: Stop?, _ later: [Stop], to newest: Stop) -> [Stop] {
    guard !later.isEmpty else { return [newest] }
    guard case .recorded(let last) = newest.destination else { return ([own].compactMap { $0 } + later) + [newest] }
    // Releases that shipped the same steps are one stop, and those that shipped all are at the end.
    var count = own.flatMap { recordedCount($0.destination) } ?? 0
    let stops = later.filter { stop in
      guard let next = recordedCount(stop.destination), next > count, next < last.count else { return false }
      count = next
      return true
    }
    return stops + [newest]
  }

  private static func recordedCount(_ destination: Destination) -> Int? {
    guard case .recorded(let target) = destination else { return nil }
    return target.count
  }

  // MARK: - Schemas

  /// The schema that every file is to have at last.
  private func newestSchema() throws -> Stop {
    if let migrations {
      let folder = try MigrationFolder(reading: migrations)
      guard !folder.steps.isEmpty else {
        throw SchemaError(source: migrations, problem: "the folder holds no .sql file")
      }
      // What is wrong with the folder is said once.
      _ = try MigrationRunner(folder)
      let target = RecordedTarget(
        folder, count: folder.steps.count, ignores: NamePatterns.matcher(options.ignore), models: models)
      return (migrations, .recorded(target))
    }
    if options.to.isEmpty, let models { return ("the models", .models(models)) }
    let named = try target.target(options, models: nil)
    return (named.name, .schema(named.target))
  }

  /// The schema of the release of a case, as files of older ones come by it; nil where its file cannot be made, which its
  /// own trial says.
  private func stop(
    _ upgrade: UpgradeCase, _ settings: CaseSettings, newest: Destination
  ) throws -> Destination? {
    if case .recorded(let target) = newest {
      let count = try? UpgradeTrial.withScratchFile { path in
        try upgrade.make(at: path)
        return try target.settle(SQLiteConnection(path: path, mode: .readWrite), at: settings.at)
      }
      return count.map { .recorded(target.shortened(to: $0)) }
    }
    var found: TargetSchema?
    if let schema = upgrade.schema {
      found = try target.schema(at: [schema], models: nil).target
    } else if upgrade.hasHints, case .script(let text) = upgrade.before {
      found = try SchemaSource.sql(text, source: upgrade.source).load().target
    } else {
      found = try? UpgradeTrial.withScratchFile { path in
        try upgrade.make(at: path)
        return try SchemaSource.target(of: SQLiteConnection(path: path, mode: .readWrite))
      }
    }
    found?.ignores = NamePatterns.matcher(options.ignore)
    return found.map { .schema($0) }
  }

  // MARK: - Trials

  /// A case with a schema of its own.
  private func loaded(_ upgrade: UpgradeCase, _ settings: CaseSettings, to path: String) throws -> Loaded {
    var own = options
    (own.to, own.layout, own.rename) = ([path], nil, [])
    let named = try target.target(own, models: nil)
    return try loaded(upgrade, settings, over: [(path, .schema(named.target))])
  }

  private func loaded(
    _ upgrade: UpgradeCase, _ settings: CaseSettings, over way: [Stop]
  ) throws -> Loaded {
    try checkRenames(of: settings, over: way.map(\.destination))
    let renames = try (settings.renames + (upgrade.target == nil ? options.rename : [])).map { try RenameOption($0) }
    let stops = try way.map { name, destination in
      UpgradeStop(name, try tested(destination, renames: renames, settings))
    }
    var policy = policy
    for text in settings.allowances {
      do throws(AllowOptionError) {
        _ = try policy.add(allow: text)
      } catch {
        throw CommandError(code: .failed, sentence: "\(settings.path): \(error)")
      }
    }
    let make: @Sendable (String) throws -> Void
    if case .recorded(let target)? = way.last?.destination {
      let at = settings.at
      make = { path in
        try upgrade.make(at: path)
        _ = try target.settle(SQLiteConnection(path: path, mode: .readWrite), at: at)
      }
    } else {
      guard settings.at == nil else {
        throw CommandError(
          code: .failed, sentence: "\(settings.path): at names a recorded step, and --migrations is not given.")
      }
      make = { try upgrade.make(at: $0) }
    }
    var trial = UpgradeTrial(stops: stops, make: make)
    trial.policy = policy
    trial.expectations = upgrade.expectations
    return Loaded(upgrade: upgrade, targetName: way.last?.name ?? "", trial: trial)
  }

  /// A schema with the renames that lead to names of it.
  private func tested(
    _ destination: Destination, renames: [RenameOption], _ settings: CaseSettings
  ) throws -> TestedSchema {
    switch destination {
    case .models(let models): return .models(models)
    case .recorded(let target): return .recorded(target)
    case .schema(var schema):
      for rename in renames where schema.has(rename) { schema.hints.add(rename) }
      return .target(schema, isOrderStrict: options.strictOrder)
    }
  }

  /// Refuses a rename in the settings of a case that can mean nothing on any way.
  private func checkRenames(of settings: CaseSettings, over way: [Destination]) throws {
    for text in settings.renames {
      let rename: RenameOption
      do throws(RenameOptionError) {
        rename = try RenameOption(text)
      } catch {
        throw CommandError(code: .failed, sentence: "\(settings.path): \(error)")
      }
      let isMeant = way.contains { destination in
        if case .schema(let schema) = destination { schema.has(rename) } else { false }
      }
      guard !isMeant else { continue }
      throw CommandError(
        code: .failed,
        sentence: "\(settings.path): rename holds \(text), and no schema on the way has the new name.")
    }
  }
}

extension TargetSchema {
  /// True if a rename leads to a name of the schema.
  fileprivate func has(_ rename: RenameOption) -> Bool {
    guard let table = schema.table(rename.newTable) else { return false }
    return rename.newColumn.map { table.column($0) != nil } ?? true
  }
}
