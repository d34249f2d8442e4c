import SchemaKit
import SchemaKitFoundation

/// The address of a database on a libSQL server: `libsql://host`, `https://host:port` or `http://127.0.0.1:8080`.
struct LibSQLAddress: Hashable {
  /// True if what is sent is encrypted, and the server proves who it is.
  let isEncrypted: Bool
  let host: String
  /// The port; nil for that of the scheme.
  let port: Int?
  /// The prefix of the protocol's paths; empty for most servers.
  let path: String

  /// Reads an address.
  ///
  /// - Throws: ``RemoteError``. It does not contain parts of the address that may be secret.
  init(_ address: String) throws(RemoteError) {
    // The text after a question mark or before an at sign is not repeated.
    let shown = String(address.prefix { $0 != "?" && $0 != "#" })
    func problem(_ words: String) -> RemoteError {
      let isHidden = shown.contains("@")
      return RemoteError(reason: .address(isHidden ? "What was given" : shown, problem: words))
    }
    guard let mark = address.firstRange(of: "://") else { throw problem("it has no scheme, as in libsql://host") }
    let scheme = address[..<mark.lowerBound].lowercased()
    guard ["libsql", "https", "http"].contains(scheme) else {
      throw problem("a libSQL server is at libsql://, https:// or http://")
    }
    isEncrypted = scheme != "http"
    let rest = address[mark.upperBound...]
    guard !rest.contains("@"), !rest.contains("?"), !rest.contains("#") else {
      throw problem(
        "a user, a password or a token does not belong in it; schemactl takes the token from SCHEMACTL_TOKEN or a file")
    }
    let authority = rest.prefix { $0 != "/" }
    var path = rest.dropFirst(authority.count)
    while path.hasSuffix("/") { path = path.dropLast() }
    guard path.utf8.allSatisfy(Self.isPlain) else { throw problem("its path has characters that have no place there") }
    self.path = String(path)
    (host, port) = try Self.parts(of: authority, problem)
  }

  private static func parts(
    of authority: Substring, _ problem: (String) -> RemoteError
  ) throws(RemoteError) -> (host: String, port: Int?) {
    var host = authority
    var port: Int?
    let colon = authority.lastIndex(of: ":")
    if let colon, !authority[colon...].contains("]") {
      guard let number = UInt16(authority[authority.index(after: colon)...]), number > 0 else {
        throw problem("what follows the colon is not a port")
      }
      port = Int(number)
      host = authority[..<colon]
    }
    let isNumeric = host.hasPrefix("[") && host.hasSuffix("]")
    let name = isNumeric ? host.dropFirst().dropLast() : host
    let isWhole =
      isNumeric
      ? name.utf8.allSatisfy { $0 == 0x3a || $0 == 0x2e || isPlain($0) && $0 != 0x2f } : name.utf8.allSatisfy(isNamed)
    guard !name.isEmpty, isWhole else { throw problem("a host is missing, or not one") }
    return (name.lowercased(), port)
  }

  private static func isNamed(_ byte: UInt8) -> Bool { isPlain(byte) && byte != 0x2f && byte != 0x7e }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
      UInt8(ascii: "~"), UInt8(ascii: "/"):
      true
    default: false
    }
  }

  /// True if the server is on this machine.
  var isLocal: Bool { host == "localhost" || host == "::1" || host.wholeMatch(of: /127(\.\d{1,3}){3}/) != nil }

  /// Refuses to send in the clear what a proxy would read: URLSession goes by these variables, but for Apple's.
  ///
  /// - Throws: ``RemoteError``.
  func checkProxies(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws(RemoteError) {
    #if !canImport(Darwin)
      guard !isEncrypted, !isExcepted(in: environment) else { return }
      for name in ["http_proxy", "all_proxy", "ALL_PROXY"] where environment[name]?.isEmpty == false {
        throw RemoteError(
          reason: .address(
            base, problem: "the variable \(name) names a proxy, which would read what is sent; set no_proxy to \(host)")
        )
      }
    #endif
  }

  /// True if no proxy is used for the host.
  private func isExcepted(in environment: [String: String]) -> Bool {
    let names = (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "").split { $0 == "," || $0 == " " }
    return names.contains { $0 == "*" || $0.lowercased() == host }
  }

  /// The host with the port, as messages name the server.
  var place: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port.map { "\(name):\($0)" } ?? name
  }

  /// Where requests go, without a slash at the end.
  var base: String { "\(isEncrypted ? "https" : "http")://\(place)\(path)" }

  /// A name for a copy of the database: the last part of the path, or the first of the host's name.
  var name: String {
    if let last = path.split(separator: "/").last { return String(last) }
    return isLocal || host.contains(":") ? "libsql" : String(host.split(separator: ".").first ?? "libsql")
  }

  /// The path that a server gives for the next request; nil where that is at another host, another port, or not encrypted as
  /// this is.
  func path(of place: String) -> String? {
    guard let other = try? LibSQLAddress(place), other.host == host, other.isEncrypted == isEncrypted else {
      return nil
    }
    let usual = isEncrypted ? 443 : 80
    return other.port ?? usual == port ?? usual ? other.path : nil
  }
}
