import SchemaKit
import SchemaKitFoundation

/// Keeps tokens out of addresses, and away from hosts that they were not meant for.
enum ServerSecrets {
  /// The variable that has the token.
  static let variable = "SCHEMACTL_TOKEN"

  /// Refuses an address with a user, a password or a token in it, without repeating it.
  static func check(_ text: String) throws {
    if hasSecret(text) { throw CommandError.usage(Self.refusal) }
  }

  static let refusal =
    "a user, a password or a token does not belong in an address of a database, where others see it. Give a token in "
    + "the variable \(variable) or with --token-file FILE."

  /// True if a text has an address in it with what may be a secret.
  static func hasSecret(_ text: String) -> Bool {
    for match in text.matches(of: /([A-Za-z][A-Za-z0-9+.-]*):\/\/([^\/?#]*)([^?#]*)([?#].*)?/)
    where match.1.lowercased() != "file" {
      if match.2.contains("@") { return true }
      let words = ["token", "jwt", "auth", "secret", "password", "key"]
      guard let rest = match.4?.lowercased() else { continue }
      if rest.hasPrefix("#") || words.contains(where: rest.contains) { return true }
    }
    return false
  }

  /// The token of the command; nil without one.
  ///
  /// - Parameter file: The file with the token, which comes before the variable.
  static func token(file: String?) throws -> ServerToken? {
    guard let file else {
      let value = ProcessInfo.processInfo.environment[variable] ?? ""
      return value.isEmpty ? nil : try ServerToken(value)
    }
    guard let bytes = FileManager.default.contents(atPath: file) else {
      throw CommandError(
        code: .failed, sentence: "--token-file: \(file) cannot be read: \(String(cString: strerror(errno))).")
    }
    var line = String(decoding: bytes, as: UTF8.self)
    if line.last?.isNewline == true { line.removeLast() }
    return try ServerToken(line)
  }

  /// Refuses to send a token to a host when the command line names another one as well: nobody has said whose it is.
  ///
  /// - Parameter isKnown: Gives the host that an address is at; nil for one that takes no token.
  static func checkHosts(of path: String, _ host: (String) throws -> String?) throws {
    let addresses = CommandLine.arguments.dropFirst().compactMap { argument in
      argument.firstMatch(of: /^(?:--?[a-z-]+=)?([a-z][a-z0-9+.-]*:\/\/.*)$/).map { String($0.1) }
    }
    let hosts = try Set((addresses + [path]).compactMap(host))
    guard hosts.count < 2, TokenHost.shared.takes(hosts.first ?? "") else {
      throw CommandError.usage(
        "the databases are at different hosts, and there is one token: it is sent to none of them. Name databases at one "
          + "host, or take the token away.")
    }
  }
}

/// The host that a token is sent to, once it is. `lock` guards it.
private final class TokenHost: @unchecked Sendable {
  static let shared = TokenHost()

  private let lock = Lock()
  private var host: String?

  /// True if a host is the first, or the one before.
  func takes(_ host: String) -> Bool {
    lock.withLock {
      self.host = self.host ?? host
      return self.host == host
    }
  }
}
