/// An error of the system for work on a file.
package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
  package let code: Int32
  package var description: String { String(cString: strerror(code)) }
}

extension FileManager {
  /// Makes an empty file that nobody may use who may not use another one: it gets that file's owner, where this process may
  /// give it away, and at most its permissions.
  ///
  /// It is made under a name that nothing has, not even a link.
  ///
  /// - Parameter other: The other file; without one, or where there is none, only this user may use the new one.
  package func createNewFile(atPath path: String, like other: String?) throws(SystemError) {
    close(try openNewFile(atPath: path, like: other))
  }

  /// Writes bytes into a file in place of what it held. Where that fails, it holds what it held.
  ///
  /// - Parameter other: A file whose owner and permissions the new one gets at most.
  package func replaceFile(atPath path: String, with bytes: [UInt8], like other: String?) throws(SystemError) {
    let part = "\(path).part-\(UUID().uuidString.prefix(8).lowercased())"
    let descriptor = try openNewFile(atPath: part, like: other)
    var code: Int32 = 0
    var written = 0
    while written < bytes.count, code == 0 {
      let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 { code = errno == EINTR ? 0 : errno } else { written += count }
    }
    if code == 0, fsync(descriptor) != 0, errno != EINVAL { code = errno }
    close(descriptor)
    if code == 0, rename(part, path) != 0 { code = errno }
    guard code != 0 else { return }
    unlink(part)
    throw SystemError(code: code)
  }

  private func openNewFile(atPath path: String, like other: String?) throws(SystemError) -> Int32 {
    let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError(code: errno) }
    var status = stat()
    guard let other, stat(other, &status) == 0 else { return descriptor }
    var mode = status.st_mode & 0o666
    // Only root may give a file away.
    if fchown(descriptor, status.st_uid, status.st_gid) != 0 {
      var own = stat()
      // The group of this process is not the one that may use the other file.
      if fstat(descriptor, &own) != 0 || own.st_gid != status.st_gid { mode &= ~0o060 }
    }
    _ = fchmod(descriptor, mode)
    return descriptor
  }
}
