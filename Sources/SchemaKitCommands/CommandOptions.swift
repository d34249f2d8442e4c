import ArgumentParser
import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations

/// When to write in colour.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable { case auto, always, never }

/// The forms of output that most commands have.
enum TextFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

/// The forms of output that commands have which change a database.
enum ApplyFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
  /// A line for each event, as it happens.
  case ndjson

  static let help: ArgumentHelp =
    "The format of the report: text, json, or ndjson, a line of JSON for the plan, for progress, and for the end."
}

/// The level at which copied rows are verified.
enum Verification: String, ExpressibleByArgument, CaseIterable { case full, counts, paranoid }

/// The options of every command for its output and for waiting.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .customLong("color"), help: "Write in colour: auto, the default, always or never. NO_COLOR is respected.")
  var givenColor: ColorChoice?

  @Flag(name: .shortAndLong, help: "Show every statement, and the details of errors.")
  var verbose = false

  @Flag(
    name: .shortAndLong, help: "No notes, warnings or progress; apply, check, diff, lint and doctor print errors only.")
  var quiet = false

  @Option(
    name: .customLong("lock-timeout"),
    help: ArgumentHelp(
      "How long to wait for each lock of a database, in seconds; 10 by default, 1 for a file of a fleet.",
      valueName: "seconds"))
  var givenLockTimeout: Double?

  @Flag(
    name: .customLong("untrusted"), inversion: .prefixedNo,
    help: "Treat the database as untrusted: its schema may call only what this SQLite knows to be harmless.")
  var givenUntrusted: Bool?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Load a SQLite extension into every connection, for its functions, collations and virtual tables. May be repeated. "
        + "The self-contained program cannot; one that make install builds can.",
      valueName: "file"), completion: .file())
  var loadExtension: [String] = []

  @Option(
    help: ArgumentHelp(
      "The key of encrypted databases: the first line of a file, or of standard input with -. A passphrase, or a raw key "
        + "as x'64 hexadecimal digits'. Needs a program that is built with SQLCipher.",
      valueName: "file"), completion: .file())
  var keyFile: String?

  @Flag(help: "Ask for the key of encrypted databases on the terminal, without showing it.")
  var askKey = false

  @Flag(
    help: "Connect to a server on another machine although the connection is neither encrypted nor authenticated.")
  var insecure = false

  @Option(
    help: ArgumentHelp(
      "The token for a server that wants one, in a file; without it, that in SCHEMACTL_TOKEN.", valueName: "file"),
    completion: .file())
  var tokenFile: String?

  @OptionGroup var settings: SettingsOptions

  var color: ColorChoice { givenColor ?? .auto }
  var lockTimeout: Double { givenLockTimeout ?? 10 }
  var untrusted: Bool { givenUntrusted ?? false }

  /// A database named on the command line.
  func access(to path: String) -> DatabaseAccess {
    DatabaseAccess(
      path: path, lockTimeout: lockTimeout, trustsSchema: !untrusted, allowsInsecure: insecure, tokenFile: tokenFile)
  }

  func validate() throws {
    guard Setting.seconds ~= lockTimeout else {
      throw ValidationError("--lock-timeout is \(Setting.secondsInWords).")
    }
    guard keyFile == nil || !askKey else {
      throw ValidationError("--key-file and --ask-key cannot be combined: both give the key.")
    }
  }

  /// The key of the databases; nil without one.
  func key(_ console: Console) throws -> EncryptionKey? {
    guard let keyFile else {
      guard askKey else { return nil }
      guard console.canAsk else {
        throw CommandError.usage("--ask-key needs a terminal to ask on. Give the key with --key-file FILE.")
      }
      guard let key = console.askForSecret("Key of the database:"), !key.isEmpty else {
        throw CommandError(code: .failed, sentence: "no key was typed. Nothing was changed.")
      }
      return try EncryptionKey(passphrase: key)
    }
    let isInput = keyFile == "-"
    guard
      let bytes = isInput
        ? StandardStream.input.readToEnd() : FileManager.default.contents(atPath: keyFile).map({ [UInt8]($0) })
    else {
      let name = isInput ? "standard input" : keyFile
      throw CommandError(
        code: .failed, sentence: "--key-file: \(name) cannot be read: \(String(cString: strerror(errno))).")
    }
    var line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    guard !line.isEmpty, let key = String(validating: line, as: UTF8.self) else {
      throw CommandError(
        code: .failed,
        sentence: "--key-file: the first line \(isInput ? "of standard input" : "of \(keyFile)") is "
          + (line.isEmpty ? "empty." : "not text in UTF-8."))
    }
    return try EncryptionKey(passphrase: key)
  }
}

/// Which schema the database shall have, and how the two are compared.
struct TargetOptions: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "The schema: .sql files, each with an option of its own, a database, a snapshot, a folder of migrations, or - for SQL "
        + "on standard input. Without it, the program's own models.",
      valueName: "schema"), completion: .file())
  var to: [String] = []

  @Option(help: MigrationLayout.help)
  var layout: MigrationLayout?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "A table or column that has a new name: user=users, users.name=users.title. May be repeated.",
      valueName: "old=new"))
  var rename: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Leave objects alone whose names match a pattern, such as 'tmp_*'. May be repeated.", valueName: "glob",
      visibility: .shared))
  var ignore: [String] = []

  @Flag(
    name: .customLong("strict-order"), inversion: .prefixedNo,
    help: ArgumentHelp("Treat a different column order as a change.", visibility: .shared))
  var givenStrictOrder: Bool?

  @Flag(help: ArgumentHelp("Accept a schema without any object, which drops everything.", visibility: .shared))
  var allowEmpty = false
}

extension MigrationLayout: ExpressibleByArgument {
  static let help = ArgumentHelp(
    "The tool whose folder of migrations the schema is, recognised when this is missing; none for plain SQL.",
    valueName: "name", visibility: .shared)
}

extension TargetOptions {
  var strictOrder: Bool { givenStrictOrder ?? false }

  /// The first of these options that was given, as it is written.
  var firstGiven: String? {
    if !to.isEmpty { return "--to" }
    if layout != nil { return "--layout" }
    if !rename.isEmpty { return "--rename" }
    if !ignore.isEmpty { return "--ignore" }
    if strictOrder { return "--strict-order" }
    return allowEmpty ? "--allow-empty" : nil
  }
}

/// The option to plan without examining rows.
struct QuickOptions: ParsableArguments {
  @Flag(
    help: "Do not examine rows: what they could lose counts as lost, and what they could refuse is left to the apply.")
  var quick = false
}

/// Which ways of changing a table may be taken.
struct StrategyOptions: ParsableArguments {
  enum Choice: String, ExpressibleByArgument, CaseIterable { case auto, alter, rebuild, online }

  @Option(
    help:
      "The way to change tables: auto, the cheapest safe one; alter, without an edit of the catalog; rebuild, by copies; online, by copies while others write."
  )
  var strategy: Choice?

  /// The choice for a plan.
  var choice: StrategyChoice { strategy.flatMap { StrategyChoice(rawValue: $0.rawValue) } ?? .auto }
}

/// The limits on how far copying a table online may disturb others.
struct OnlineOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "With --strategy online: how long a transaction should keep others from writing, in milliseconds (10 by default).",
      valueName: "milliseconds"))
  var maxLock: Double?
  @Option(
    name: .customLong("max-wal"),
    help: ArgumentHelp(
      "With --strategy online: how much of the write-ahead log may wait for a checkpoint before another batch is written (64 by default).",
      valueName: "MiB"))
  var maxWAL: Int?
  @Option(
    help: ArgumentHelp(
      "With --strategy online: how long readers that hold the log are waited for (60 by default).", valueName: "seconds"
    ))
  var walWait: Double?

  func validate() throws {
    if let maxLock, !(0.1...10_000 ~= maxLock) {
      throw ValidationError("--max-lock is from 0.1 to 10000 milliseconds.")
    }
    if let maxWAL, !(1...1_000_000 ~= maxWAL) { throw ValidationError("--max-wal is from 1 to 1000000 MiB.") }
    if let walWait, !(Setting.seconds ~= walWait) { throw ValidationError("--wal-wait is \(Setting.secondsInWords).") }
  }

  /// The option that was given, if any.
  var firstGiven: String? {
    maxLock != nil ? "--max-lock" : maxWAL != nil ? "--max-wal" : walWait != nil ? "--wal-wait" : nil
  }

  var limits: OnlineLimits {
    var limits = OnlineLimits()
    if let maxLock { limits.lock = .microseconds(Int(maxLock * 1000)) }
    if let maxWAL { limits.log = Int64(maxWAL) << 20 }
    if let walWait { limits.logWait = .milliseconds(Int(walWait * 1000)) }
    return limits
  }
}

/// The option that consents to losses.
struct ConsentOptions: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Consent to lossy or destructive changes, to a code, or to one for an object: SK102:users.legacy; downgrade, to an "
        + "older schema. May be repeated.",
      valueName: "class|code[:object]"),
    completion: .list(
      [HazardClass.lossy, .destructive, .fault].map(\.rawValue) + ["downgrade"] + HazardCode.allCases.map(\.rawValue)))
  var allow: [String] = []
}

/// The option to keep dropped rows and values.
struct KeepOptions: ParsableArguments {
  @Flag(help: "Keep what is dropped in the database, for undo.")
  var keep = false
}

/// The choice to record a change in the database or not.
struct LedgerOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Make and write no table of SchemaKit's in the database: no undo, no detection of newer files, no memory of "
        + "conversions. Refused where the database has a history.", visibility: .shared))
  var noLedger = false

  /// True if the plan is recorded.
  var recording: HistoryRecording { noLedger ? .omitted : .ledger }

  /// Refuses what needs the history.
  ///
  /// - Parameter options: Options that do, with whether they were given.
  func refuse(_ options: KeyValuePairs<String, Bool>) throws {
    guard noLedger, let option = options.first(where: \.value)?.key else { return }
    throw ValidationError("--no-ledger and \(option) cannot be combined: \(option) needs the history.")
  }

  /// Refuses models: what they own in a file, and which data steps were done, stands in its history.
  func check(_ target: TargetSchema) throws {
    guard noLedger, !target.ownsWholeFile else { return }
    throw CommandError.usage("--no-ledger goes with --to SCHEMA: models need the history, which says what they own.")
  }
}

/// The options for a database that is missing.
struct CreationOptions: ParsableArguments {
  @Flag(
    name: .customLong("create"), inversion: .prefixedNo,
    help: ArgumentHelp(
      "Create a missing database, or refuse it. By default it counts as empty, and apply asks first."))
  var givenCreate: Bool?

  /// Refuses a database that is missing and must exist.
  func check(_ access: DatabaseAccess) throws {
    guard access.isMissing, givenCreate == false else { return }
    throw CommandError(
      code: .failed,
      sentence: "\(access.path) does not exist and will not be created (--no-create).\(access.suggestion)")
  }

  /// Refuses to create a database that is missing where nobody agreed to it: no option, and no answer on a terminal.
  func checkAgreement(_ access: DatabaseAccess, isAsked: Bool) throws {
    guard needsAgreement(access), !isAsked else { return }
    throw CommandError(
      code: .failed,
      sentence: "\(access.path) does not exist. Pass --create to create it.\(access.suggestion) Nothing was changed.")
  }

  /// True if a missing database is created only after somebody agreed.
  func needsAgreement(_ access: DatabaseAccess) -> Bool { access.isMissing && givenCreate != true }

  /// The notice of a plan or check about a database that is missing; nil for any other.
  func notice(_ access: DatabaseAccess) -> String? {
    guard needsAgreement(access) else { return nil }
    return "\(access.path) does not exist: apply creates it with --create.\(access.suggestion)"
  }
}
