import SchemaKitFoundation

/// A program that is run without a shell, with a text on its standard input. Its output goes to standard error.
enum ChildProcess {
  enum Outcome: Equatable {
    case exited(Int32)
    case signalled(Int32)
    case timedOut
    case notStarted(String)
  }

  /// Runs a program until it ends, or the time is over.
  static func run(_ path: String, input: String, timeout seconds: Double) -> Outcome {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return .notStarted(String(cString: strerror(errno))) }
    // Neither end may stay open in other programs that are started.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), nil]
    defer { free(arguments[0]) }
    var process = pid_t()
    let code = posix_spawn(&process, path, &actions, nil, &arguments, environ)
    close(ends[0])
    guard code == 0 else {
      close(ends[1])
      return .notStarted(String(cString: strerror(code)))
    }
    // A program that does not read leaves the pipe full, and its end must not end this one.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    let bytes = Array(input.utf8)
    var written = 0
    let end = ContinuousClock.now + .seconds(seconds)
    while true {
      if written < bytes.count {
        let count = bytes[written...].withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
        if count > 0 { written += count } else if errno != EAGAIN { written = bytes.count }
        if written == bytes.count { close(ends[1]) }
        if count > 0 { continue }
      }
      var status: Int32 = 0
      if waitpid(process, &status, WNOHANG) == process {
        if written < bytes.count { close(ends[1]) }
        return status & 0x7F == 0 ? .exited((status >> 8) & 0xFF) : .signalled(status & 0x7F)
      }
      guard ContinuousClock.now < end else {
        if written < bytes.count { close(ends[1]) }
        kill(process, SIGKILL)
        waitpid(process, &status, 0)
        return .timedOut
      }
      usleep(5_000)
    }
  }
}
