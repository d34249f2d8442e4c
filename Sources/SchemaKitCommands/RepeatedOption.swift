import ArgumentParser
import SchemaKitFoundation

/// Finds an option that takes one value and was given twice with different ones, and a flag that was given with its opposite;
/// the parser would take the last.
enum RepeatedOption {
  /// The message for such an option; nil if there is none.
  ///
  /// - Parameter arguments: The arguments behind the program's name.
  static func problem(among arguments: [String], of root: any ParsableCommand.Type) -> String? {
    let given = Array(arguments.prefix { $0 != "--" })
    let names = given.filter { $0.hasPrefix("-") }.map { String($0.prefix { $0 != "=" }) }
    if let no = names.first(where: { $0.hasPrefix("--no-") && names.contains("--\($0.dropFirst(5))") }) {
      return "--\(no.dropFirst(5)) and \(no) contradict each other."
    }
    // The help of all commands is only made where a name stands twice.
    guard Set(names).count < names.count,
      let info = try? JSONDecoder().decode(Info.self, from: Data(root._dumpHelp().utf8))
    else { return nil }
    var command = info.command
    for word in given {
      guard let next = command.subcommands?.first(where: { $0.commandName == word }) else { break }
      command = next
    }
    if let name = command.defaultSubcommand, let own = command.subcommands?.first(where: { $0.commandName == name }) {
      command = own
    }
    for option in command.arguments ?? [] where option.kind == "option" && !option.isRepeating {
      let words = Set((option.names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name })
      let values = given.indices.compactMap { index -> String? in
        let parts = given[index].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard words.contains(String(parts[0])) else { return nil }
        if parts.count == 2 { return String(parts[1]) }
        return given.indices.contains(index + 1) ? given[index + 1] : nil
      }
      guard let first = values.first, let other = values.first(where: { $0 != first }),
        let word = words.sorted(by: { $0.count > $1.count }).first
      else { continue }
      return "\(word) takes one value, and is given as \(first) and as \(other)."
    }
    return nil
  }

  private struct Info: Decodable {
    var command: Command
  }

  private struct Command: Decodable {
    var commandName: String
    var subcommands: [Command]?
    var defaultSubcommand: String?
    var arguments: [Argument]?
  }

  private struct Argument: Decodable {
    struct Name: Decodable {
      var kind: String
      var name: String
    }
    var kind: String
    var isRepeating: Bool
    var names: [Name]?
  }
}
