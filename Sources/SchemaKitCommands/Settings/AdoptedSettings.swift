import SchemaKit
import SchemaKitFoundation
import SchemaKitReports

extension PlanCommand: SettledCommand {
  mutating func adopt(_ settings: inout Settings) throws {
    if origin.from == nil { try settings.require(database: &database) }
    settings.take(.create, into: &creation.givenCreate)
    settings.take(.strategy, into: &ways.strategy)
    guard migrations == nil else {
      settings.take(.ignore, into: &target.ignore)
      return
    }
    if target.to.isEmpty {
      var way: ApplyWay?
      settings.take(.apply, into: &way)
      if way == .migrations {
        settings.remarks.append(
          "this is the plan to the schema; apply runs recorded steps, of which plan --migrations shows the next.")
      }
    }
    settings.take(into: &target, hasModels: Tool.models != nil)
  }
}

extension ApplyCommand: SettledCommand {
  mutating func adopt(_ settings: inout Settings) throws {
    try settings.require(database: &database)
    settings.take(.create, into: &creation.givenCreate)
    settings.take(.verify, into: &givenVerify)
    try settings.take(into: &backup)
    // A saved plan says itself what it leads to.
    guard plan == nil else { return }
    if migrations == nil, target.to.isEmpty { try adoptFolder(&settings) }
    settings.take(.strategy, into: &ways.strategy)
    if migrations == nil {
      settings.take(into: &target, hasModels: Tool.models != nil)
    } else {
      settings.take(.ignore, into: &target.ignore)
    }
  }

  /// Takes the folder of migrations where the settings say so, or know no schema.
  private mutating func adoptFolder(_ settings: inout Settings) throws {
    var way: ApplyWay?
    settings.take(.apply, into: &way)
    let knowsSchema = settings.has(.schema) || Tool.models != nil
    guard way == .migrations || (way == nil && !knowsSchema && settings.has(.migrations)) else { return }
    guard settings.has(.migrations) else {
      throw settings.error(.apply, "apply = \"migrations\" needs a folder: set migrations as well.")
    }
    if let option = recordedExclusion {
      throw CommandError.usage(
        "the settings have apply run the recorded steps, so \(option) has no meaning here. Pass --to SCHEMA to go to a "
          + "schema without them.")
    }
    settings.take(.migrations, into: &migrations)
  }
}

extension CheckCommand: SettledCommand {
  mutating func adopt(_ settings: inout Settings) throws {
    if origin.from == nil { settings.take(.database, into: &database) }
    settings.take(.create, into: &creation.givenCreate)
    // The folder of the settings leads to the schema of the settings, and not to another one.
    if migrations == nil, target.to.isEmpty || base != nil {
      settings.take(.migrations, into: &migrations)
      if let migrations, !FileManager.default.fileExists(atPath: migrations) {
        throw settings.error(
          .migrations,
          "there is no folder \(migrations). Record its first step with migrations new, or take this setting out.")
      }
    }
    settings.take(into: &target, hasModels: Tool.models != nil)
    if database == nil, origin.from == nil, migrations == nil {
      throw CommandError.usage("Nothing to check: name a DATABASE, or a folder with --migrations, or both.")
    }
    if base != nil, migrations == nil { throw CommandError.usage("--base goes with --migrations.") }
  }
}

extension LintCommand: SettledCommand {
  mutating func adopt(_ settings: inout Settings) throws {
    if settings.takeSchema(into: &schema, hasModels: Tool.models != nil) { settings.take(.layout, into: &layout) }
    if schema.isEmpty, Tool.models == nil { throw CommandError.missingSchema }
    output.settings.rules = settings.takeRules()
    let isGiven = !skip.isEmpty
    settings.take(.skip, into: &skip)
    guard !isGiven else { return }
    var selection = LintSelection(projectRules: output.settings.rules.map(\.rule))
    for text in skip {
      do throws(LintOptionError) {
        try selection.add(skip: text)
      } catch {
        throw settings.error(.skip, "skip holds \(text): \(error.problem).")
      }
    }
  }
}

extension InspectCommand: SettledCommand {
  mutating func adopt(_ settings: inout Settings) throws {
    guard Tool.models == nil else { return }
    var database = schema.first
    settings.take(.database, into: &database)
    if schema.isEmpty { schema = [database].compactMap { $0 } }
    if settings.takeSchema(into: &schema, hasModels: false) { settings.take(.layout, into: &layout) }
    if schema.isEmpty { throw CommandError.missingSchema }
  }
}

extension DiffCommand: SettledCommand {
  mutating func adopt(_ settings: inout Settings) throws {
    if settings.takeSchema(into: &to, hasModels: Tool.models != nil) { settings.take(.layout, into: &layout) }
    settings.take(.strictOrder, into: &givenStrictOrder)
    if to.isEmpty, Tool.models == nil { throw CommandError.missingSchema }
  }
}

extension DoctorCommand: SettledCommand {
  mutating func adopt(_ settings: inout Settings) throws { try settings.require(database: &database) }
}

extension HistoryCommand: SettledCommand {
  mutating func adopt(_ settings: inout Settings) throws { try settings.require(database: &database) }
}

extension UndoCommand: SettledCommand {
  mutating func adopt(_ settings: inout Settings) throws {
    try settings.require(database: &database)
    try settings.take(into: &backup)
  }
}

extension TestRunCommand: SettledCommand {
  mutating func adopt(_ settings: inout Settings) throws {
    if migrations == nil, target.to.isEmpty {
      var way: ApplyWay?
      settings.take(.apply, into: &way)
      let knowsSchema = settings.has(.schema) || Tool.models != nil
      if way == .migrations || (way == nil && !knowsSchema) { settings.take(.migrations, into: &migrations) }
    }
    if migrations == nil {
      settings.take(into: &target, hasModels: Tool.models != nil)
    } else {
      settings.take(.ignore, into: &target.ignore)
    }
  }
}

extension TestNewCommand: SettledCommand {
  mutating func adopt(_ settings: inout Settings) throws {}
}

// MARK: - Recorded migrations

extension MigrationsNewCommand: SettledCommand {
  mutating func adopt(_ settings: inout Settings) throws {
    settings.take(.migrations, into: &folder.givenMigrations)
    if !empty { settings.take(into: &target, hasModels: Tool.models != nil) }
  }
}

extension MigrationsRebaseCommand: SettledCommand {
  mutating func adopt(_ settings: inout Settings) throws {
    settings.take(.migrations, into: &folder.givenMigrations)
    settings.take(into: &target, hasModels: Tool.models != nil)
  }
}

extension MigrationsSquashCommand: SettledCommand {
  mutating func adopt(_ settings: inout Settings) throws {
    settings.take(.migrations, into: &folder.givenMigrations)
  }
}

extension MigrationsVerifyCommand: SettledCommand {
  mutating func adopt(_ settings: inout Settings) throws {
    settings.take(.migrations, into: &folder.givenMigrations)
  }
}

extension MigrationsHashCommand: SettledCommand {
  mutating func adopt(_ settings: inout Settings) throws {
    settings.take(.migrations, into: &folder.givenMigrations)
  }
}

extension MigrationsStatusCommand: SettledCommand {
  mutating func adopt(_ settings: inout Settings) throws {
    try settings.require(database: &database)
    settings.take(.create, into: &creation.givenCreate)
    settings.take(.migrations, into: &folder.givenMigrations)
    settings.take(.ignore, into: &ignore)
  }
}

extension MigrationsBaselineCommand: SettledCommand {
  mutating func adopt(_ settings: inout Settings) throws {
    try settings.require(database: &database)
    settings.take(.migrations, into: &folder.givenMigrations)
    settings.take(.ignore, into: &ignore)
  }
}

extension CommandError {
  /// No schema was named.
  static let missingSchema = CommandError.usage(
    "SCHEMA is missing: name a .sql file, a database, a snapshot, a migrations folder, or - for standard input. "
      + "schemactl.toml can say it once: schema = \"schema.sql\".")
}
