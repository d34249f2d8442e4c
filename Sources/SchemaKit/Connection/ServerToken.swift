/// A secret that lets a program in at a server. It is never shown: descriptions and dumps have dots in its place.
public struct ServerToken: Sendable {
  /// The token itself, for the request that carries it.
  package let value: String

  /// Takes a token.
  ///
  /// - Throws: ``RemoteError`` for one that is empty, or has spaces or other characters that a header must not have.
  public init(_ value: String) throws(RemoteError) {
    guard !value.isEmpty, value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { throw RemoteError(reason: .token) }
    self.value = value
  }

  /// A text without the token.
  package func removed(from text: String) -> String { text.replacing(value, with: Self.dots) }

  private static let dots = "…"
}

extension ServerToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { Self.dots }

  public var debugDescription: String { Self.dots }

  public var customMirror: Mirror { Mirror(self, children: []) }
}
