extension SQLiteConnection {
  /// The functions, collations, extensions and key that connections get by default while some work goes on. A thread does not
  /// inherit them from the one that starts it.
  package struct Surroundings: Sendable {
    fileprivate let additions: SQLAdditions
    fileprivate let extensions: [String]
    fileprivate let key: EncryptionKey?

    /// The surroundings of the work that goes on here.
    package static var current: Surroundings {
      Surroundings(
        additions: SQLiteConnection.inherited, extensions: SQLiteConnection.extensions,
        key: SQLiteConnection.inheritedKey)
    }

    /// Runs work in these surroundings, on any thread.
    package func run<T>(_ body: () throws -> T) rethrows -> T {
      try SQLiteConnection.$inherited.withValue(additions) {
        try SQLiteConnection.$extensions.withValue(extensions) {
          try SQLiteConnection.$inheritedKey.withValue(key) { try body() }
        }
      }
    }
  }
}
