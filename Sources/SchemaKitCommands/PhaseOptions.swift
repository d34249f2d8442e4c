import ArgumentParser
import SchemaKit

/// The options for the phase of a change, if older programs may use the same database.
struct PhaseOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Serve an older program and one of the new schema at once; refuse what cannot be exact for both."
    ))
  var expand = false
  @Flag(help: "Remove what --expand left for the older program, and do the rest of the change.")
  var contract = false
  @Option(
    help: ArgumentHelp(
      "With --contract: only if no older program wrote for so long: 90s, 30m, 12h or 7d. Stands for --yes.",
      valueName: "duration"))
  var quietFor: QuietDuration?

  func validate() throws {
    if expand && contract { throw ValidationError("--expand and --contract cannot be combined.") }
    if quietFor != nil, !contract { throw ValidationError("--quiet-for needs --contract.") }
  }

  /// The option that was given, if any.
  var firstGiven: String? { expand ? "--expand" : contract ? "--contract" : nil }

  var phase: MigrationPhase {
    expand ? .expand : contract ? .contract(quietFor: quietFor?.seconds) : .complete
  }

  /// Refuses options that mean something else than a whole change.
  ///
  /// - Parameter others: Options, and whether they were given.
  func refuse(_ others: KeyValuePairs<String, Bool>) throws {
    guard let firstGiven, let other = others.first(where: \.value) else { return }
    throw ValidationError("\(firstGiven) and \(other.key) cannot be combined.")
  }
}

/// A time such as 90s, 30m, 12h or 7d.
struct QuietDuration: ExpressibleByArgument {
  let seconds: Int

  init?(argument: String) {
    let units = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    guard let unit = argument.last.flatMap({ units[String($0)] }), let number = Int(argument.dropLast()), number >= 0,
      number <= 36_500
    else { return nil }
    seconds = number * unit
  }
}
