import Foundation
import Testing

@Suite("Help")
struct HelpTests {
  /// The parts of ArgumentParser's dump that matter here.
  struct Dump: Decodable {
    struct Command: Decodable {
      var commandName: String
      var abstract: String?
      var arguments: [Argument]?
      var subcommands: [Command]?
    }
    struct Argument: Decodable {
      var valueName: String?
      var abstract: String?
    }
    var command: Command
  }

  @Test("every command and every option has help")
  func help() throws {
    let run = try CommandFolder().run("--experimental-dump-help")
    let root = try JSONDecoder().decode(Dump.self, from: Data(run.output.utf8)).command
    let commands = root.subcommands ?? []
    #expect(Set(commands.map(\.commandName)).isSuperset(of: ["plan", "apply", "check", "diff", "inspect", "history"]))
    for command in commands where command.commandName != "help" {
      #expect(command.abstract?.isEmpty == false, "\(command.commandName)")
      for argument in command.arguments ?? [] {
        #expect(argument.abstract?.isEmpty == false, "\(command.commandName) \(argument.valueName ?? "")")
      }
    }
  }

  @Test(
    "a command's own help is short, and what commands share is explained once",
    arguments: [("plan", 60), ("apply", 70)])
  func short(command: String, limit: Int) throws {
    let folder = try CommandFolder()
    let own = try folder.run(command, "--help").output
    #expect(own.split(separator: "\n", omittingEmptySubsequences: false).count <= limit)
    #expect(own.contains("schemactl help options"))
    #expect(own.contains("\nExit codes: 0 done"))
    let shared = try folder.run("help", "options").output
    for option in ["--color", "--key-file", "--ignore", "--max-wal", "--no-ledger"] {
      #expect(!own.contains(option) && shared.contains(option), "\(option)")
    }
    #expect(try folder.run(command, "--help-hidden").output.contains("--key-file"))
  }

  @Test("the help of every command has the exit codes once, and says how to go on from 5")
  func exitCodes() throws {
    let folder = try CommandFolder()
    let commands: [[String]] = [
      [], ["plan"], ["apply"], ["check"], ["lint"], ["doctor"], ["diff"], ["inspect"], ["history"], ["undo"], ["test"],
      ["migrations"], ["migrations", "new"], ["fleet"], ["fleet", "apply"],
    ]
    for command in commands {
      let help = try CommandRun(command + ["--help"], in: folder).output.replacing(/\s+/, with: " ")
      #expect(help.matches(of: /Exit codes:/).count == 1, "\(command)")
      #expect(help.contains(/5 (database )?locked: run/), "\(command)")
    }
  }

  @Test("the completions of every shell have every command and option", arguments: ["bash", "zsh", "fish"])
  func completions(shell: String) throws {
    let folder = try CommandFolder()
    let script = try folder.run("--generate-completion-script", shell).output
    for word in ["plan", "apply", "migrations", "baseline", "doctor"] { #expect(script.contains(word), "\(word)") }
    for option in ["lock-timeout", "dry-run", "migrations", "max-wal"] {
      #expect(script.contains(option), "--\(option)")
    }
    guard shell == "bash" else { return }
    try folder.write(script, to: "completion.bash")
    #expect(try CommandRun(["-n", "completion.bash"], in: folder, program: "/bin/bash").status == 0)
  }

  @Test("--version names SQLite's version and source id")
  func version() throws {
    let run = try CommandFolder().run("--version")
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("schemactl "))
    #expect(run.output.contains("SQLite 3."))
    #expect(run.output.split(separator: "\n").count == 2)
  }
}
