package import Dispatch

#if canImport(Glibc) || canImport(Musl)

  /// Calls a handler when a database was written to, as far as [inotify](https://man7.org/linux/man-pages/man7/inotify.7.html)
  /// says so: every journal mode writes to the file itself or to the WAL.
  ///
  /// It has identity because it owns a file descriptor. It is used on one serial queue.
  package final class FileEvents {
    private let descriptor: Int32
    private let source: any DispatchSourceRead
    private let paths: [String]
    private var watches: [Int32: String] = [:]

    /// Begins to listen; nil if the system allows no more listeners.
    package init?(database path: String, queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
      let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      self.descriptor = descriptor
      paths = [path, path + "-wal"]
      source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler(handler: handler)
      source.setCancelHandler { close(descriptor) }
      source.activate()
      findFiles()
    }

    deinit { source.cancel() }

    /// Watches the files that have appeared since the last call.
    package func findFiles() {
      for path in paths where !watches.values.contains(path) {
        let watch = inotify_add_watch(descriptor, path, UInt32(IN_MODIFY))
        if watch >= 0 { watches[watch] = path }
      }
    }

    /// Takes the events that have come; to be called in the handler.
    package func takeEvents() {
      var buffer = [UInt8](repeating: 0, count: 4096)
      while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
        buffer.withUnsafeBytes { bytes in
          var start = 0
          // A watch, the events, a cookie and the length of a name, 4 bytes each.
          while start + 16 <= count {
            let events = bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)
            if events & UInt32(IN_IGNORED) != 0 {
              watches[bytes.loadUnaligned(fromByteOffset: start, as: Int32.self)] = nil
            }
            start += 16 + Int(bytes.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self))
          }
        }
      }
    }
  }

#elseif canImport(Darwin)

  /// Calls a handler when a database was written to, as far as kqueue says so: to the WAL, or to its folder, where a
  /// rollback journal comes and goes.
  ///
  /// The file itself is not opened: closing it would release the locks that this process holds on it. See
  /// [How To Corrupt](https://sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_).
  ///
  /// It has identity because it owns file descriptors. It is used on one serial queue.
  package final class FileEvents {
    private let queue: DispatchQueue
    private let handler: @Sendable () -> Void
    private let paths: [String]
    private var sources: [String: any DispatchSourceFileSystemObject] = [:]

    /// Begins to listen.
    package init?(database path: String, queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
      self.queue = queue
      self.handler = handler
      let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
      paths = [folder, path + "-wal"]
      findFiles()
    }

    deinit {
      for source in sources.values { source.cancel() }
    }

    /// Watches the files that have appeared since the last call.
    package func findFiles() {
      for path in paths where sources[path] == nil {
        let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
        guard descriptor >= 0 else { continue }
        let source = DispatchSource.makeFileSystemObjectSource(
          fileDescriptor: descriptor, eventMask: [.write, .extend, .delete, .rename], queue: queue)
        source.setEventHandler(handler: handler)
        source.setCancelHandler { close(descriptor) }
        source.activate()
        sources[path] = source
      }
    }

    /// Stops watching the files that have gone; to be called in the handler.
    package func takeEvents() {
      for (path, source) in sources where !source.data.isDisjoint(with: [.delete, .rename]) {
        source.cancel()
        sources[path] = nil
      }
    }
  }

#else

  /// Hears nothing on this system.
  package final class FileEvents {
    package init?(database path: String, queue: DispatchQueue, handler: @escaping @Sendable () -> Void) { return nil }
    package func findFiles() {}
    package func takeEvents() {}
  }

#endif
