import SchemaKitFoundation

/// Keeps others from working on the same files: an advisory lock on each folder or file, until this object is gone.
///
/// See [flock](https://man7.org/linux/man-pages/man2/flock.2.html). It is none of the locks that SQLite takes, which belong
/// to the process.
final class FleetLock {
  private var descriptors: [Int32] = []

  /// Takes the locks.
  ///
  /// - Parameter place: What is said to be in use where another process has one of them.
  /// - Throws: ``FleetError`` `running`.
  init(of paths: [String], for place: String) throws(FleetError) {
    for path in paths {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      // What cannot be opened cannot be locked by another run of this user either.
      guard descriptor >= 0 else { continue }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let isTaken = errno == EWOULDBLOCK
        close(descriptor)
        // Some network file systems have no such locks.
        if isTaken { throw FleetError(reason: .running(place)) }
        continue
      }
      descriptors.append(descriptor)
    }
  }

  deinit { for descriptor in descriptors { close(descriptor) } }
}
