import CSQLite
import SchemaKitFoundation

/// A SQLite extension that could not be loaded.
package struct ExtensionError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Reason: Sendable, Equatable {
    case missing
    /// SQLite did not load it; with its message.
    case refused(String)
    /// This program's SQLite was built without the function that loads extensions.
    case unsupported
  }
  package var path: String
  package var reason: Reason

  package var description: String {
    switch reason {
    case .missing: "The extension \(path) does not exist. Nothing was changed."
    case .refused(let message): "The extension \(path) cannot be loaded: \(message). Nothing was changed."
    case .unsupported:
      "The extension \(path) cannot be loaded: this program contains its SQLite and cannot load extensions. Nothing was "
        + "changed. Build one that uses the system's SQLite, with make install in the source of SchemaKit."
    }
  }
}

extension SQLiteConnection {
  /// The files of the extensions that every new connection loads.
  @TaskLocal static var extensions: [String] = []

  /// Runs work during which every new connection loads some extensions.
  ///
  /// - Throws: `ExtensionError` before the work, if one of them cannot be loaded.
  package static func loading<T>(extensions paths: [String], _ body: () throws -> T) throws -> T {
    guard !paths.isEmpty else { return try body() }
    return try $extensions.withValue(paths) {
      _ = try SQLiteConnection.memory()
      return try body()
    }
  }

  /// Runs work during which new connections load none of them.
  package static func withoutExtensions<T>(_ body: () throws -> T) throws -> T {
    try $extensions.withValue([], operation: body)
  }

  /// Loads the extensions. It is permitted during this call only, and to no SQL: `load_extension()` stays refused.
  ///
  /// See [Loading An Extension](https://sqlite.org/loadext.html).
  func loadExtensions() throws {
    for path in Self.extensions {
      var now: Int32 = 0
      guard schemakit_can_load_extensions() != 0,
        schemakit_db_config(handle, Self.enableLoadExtension, 1, &now) == SQLITE_OK
      else { throw ExtensionError(path: path, reason: .unsupported) }
      defer { _ = schemakit_db_config(handle, Self.enableLoadExtension, 0, &now) }
      guard FileManager.default.fileExists(atPath: path) else { throw ExtensionError(path: path, reason: .missing) }
      // The system's loader would look for a bare name in its own folders.
      let file = URL(fileURLWithPath: path).path
      var message: UnsafeMutablePointer<CChar>?
      defer { sqlite3_free(message) }
      guard schemakit_load_extension(handle, file, &message) == SQLITE_OK else {
        throw ExtensionError(
          path: path, reason: .refused(message.map { String(cString: $0) } ?? "SQLite does not say why"))
      }
    }
  }
}
