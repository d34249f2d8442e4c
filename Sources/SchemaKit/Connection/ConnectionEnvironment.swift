/// The settings of a connection that a migration may change while it works.
package struct ConnectionEnvironmentOptions: Sendable, Hashable {
  /// True if `foreign_keys` must be off, which rebuilding a table that others reference requires.
  var turnsForeignKeysOff = true
  /// True if deleted content need not be overwritten, because nothing is deleted for good.
  var allowsFastDelete = false
  /// True if SQLite may sort indexes in additional threads.
  var sortsInThreads = false
  /// True if recursive triggers are turned off; otherwise the setting is left unchanged.
  var turnsRecursiveTriggersOff = false
  /// True if the settings that every migration needs were made around this already.
  var isNested = false
}

/// A setting of a connection: how to read and how to change it.
struct EnvironmentSetting: Sendable {
  let name: String
  /// The current value; nil if this SQLite does not know the setting, which is then left alone.
  let read: @Sendable (any SQLConnection) throws -> Int64?
  let write: @Sendable (any SQLConnection, Int64) throws -> Void
  /// True if the work can do without this setting.
  var isWish = false
}

extension EnvironmentSetting {
  /// A setting that a PRAGMA reads and writes as a number.
  static func pragma(_ name: String) -> EnvironmentSetting {
    EnvironmentSetting(
      name: name,
      read: { try $0.pragmaInteger(name) },
      write: { try $0.execute("PRAGMA \(name) = \($1)") }
    )
  }

  /// A setting of `sqlite3_db_config`, by its operation code; another engine than a local one does not know it.
  static func configuration(_ name: String, _ operation: Int32) -> EnvironmentSetting {
    EnvironmentSetting(
      name: name,
      read: { ($0 as? any LocalEngine)?.configuration(operation) },
      write: { try ($0 as? any LocalEngine)?.setConfiguration(operation, to: $1) }
    )
  }

  // Two were as fast as more, and temp_store = MEMORY gets no threads. https://sqlite.org/pragma.html#pragma_threads
  static let sorterThreads = EnvironmentSetting(
    name: "threads",
    read: { try $0.pragmaInteger("threads") },
    write: { try $0.execute("PRAGMA threads = \($1)") },
    isWish: true
  )

  // Memory-mapped content can change after SQLite has checked it. https://sqlite.org/security.html
  static let fileMapping = EnvironmentSetting(
    name: "mmap_size",
    read: { try $0.pragmaInteger("main.mmap_size") },
    write: { try $0.execute("PRAGMA main.mmap_size = \($1)") }
  )

  // The number 2 would be read as ON: the third value can only be set by its name.
  // Without "main." the setting of every attached database would change too.
  // https://sqlite.org/pragma.html#pragma_secure_delete
  static let secureDelete = EnvironmentSetting(
    name: "secure_delete",
    read: { try $0.pragmaInteger("main.secure_delete") },
    write: { try $0.execute("PRAGMA main.secure_delete = \($1 == 2 ? "FAST" : String($1))") }
  )
}

extension ConnectionEnvironmentOptions {
  /// The settings to apply, in order, each with the value that the work needs.
  ///
  /// `foreign_keys` comes first: it is the one that can be refused, and then nothing else has been changed yet.
  var wanted: [(setting: EnvironmentSetting, value: Int64)] {
    var wanted: [(setting: EnvironmentSetting, value: Int64)] = []
    if turnsForeignKeysOff { wanted.append((.pragma("foreign_keys"), 0)) }
    if !isNested { wanted += Self.alwaysWanted }
    if turnsRecursiveTriggersOff { wanted.append((.pragma("recursive_triggers"), 0)) }
    if sortsInThreads { wanted.append((.sorterThreads, 2)) }
    if allowsFastDelete { wanted.append((.secureDelete, 0)) }
    return wanted
  }

  private static var alwaysWanted: [(setting: EnvironmentSetting, value: Int64)] {
    [
      (.pragma("legacy_alter_table"), 0),
      (.configuration("DQS_DML", 1013), 0),
      // Stored schemas may hold string literals in double quotes, and their statements must still be accepted.
      (.configuration("DQS_DDL", 1014), 1),
      (.pragma("ignore_check_constraints"), 0),
      (.pragma("reverse_unordered_selects"), 0),
      (.pragma("writable_schema"), 0),
      (.pragma("count_changes"), 0),
    ]
  }
}

/// Runs work on a connection whose settings are known, and restores them afterwards, even on failure.
///
/// - Throws: ``SQLiteConnectionError/environmentNotSettable(_:)`` before the work begins, if a required setting cannot
///   be made, such as `foreign_keys` inside an open transaction; what the work throws; or
///   ``SQLiteConnectionError/environmentNotRestored(_:)`` if only restoring a setting failed, ``RemoteError`` if the
///   connection was lost then.
@discardableResult
package func withMigrationEnvironment<T>(
  on connection: any SQLConnection, _ options: ConnectionEnvironmentOptions = ConnectionEnvironmentOptions(),
  _ body: () throws -> T
) throws -> T {
  var changed: [(setting: EnvironmentSetting, value: Int64)] = []
  let result: T
  do {
    let isOwn = (connection as? any LocalEngine)?.isBorrowed == false
    let ownWanted: [(setting: EnvironmentSetting, value: Int64)] = isOwn && !options.isNested ? [(.fileMapping, 0)] : []
    for (setting, value) in options.wanted + ownWanted {
      guard let before = try setting.read(connection), before != value else { continue }
      changed.append((setting, before))
      try setting.write(connection, value)
      guard try setting.isWish || setting.read(connection) == value else {
        throw SQLiteConnectionError.environmentNotSettable(setting.name)
      }
    }
    result = try body()
  } catch {
    _ = restore(changed, on: connection)
    throw error
  }
  if let failure = restore(changed, on: connection) { throw failure }
  return result
}

/// Restores settings, the last one first, and returns why the first that could not be restored was not.
private func restore(
  _ changed: [(setting: EnvironmentSetting, value: Int64)], on connection: any SQLConnection
) -> (any Error)? {
  connection.suspendingCancellation {
    var failure: (any Error)?
    for (setting, before) in changed.reversed() {
      var now: Int64?
      do {
        do {
          try setting.write(connection, before)
        } catch let lost as RemoteError {
          throw lost
        } catch {
          // A setting that cannot be written may be as it was.
        }
        now = try setting.read(connection)
      } catch let error as RemoteError {
        // A connection that is lost takes its settings with it, and says more than they do.
        failure = failure ?? error
        continue
      } catch {}
      if now != before { failure = failure ?? SQLiteConnectionError.environmentNotRestored(setting.name) }
    }
    return failure
  }
}
