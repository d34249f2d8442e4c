extension FileManager {
  /// True if a path leads to a folder, links followed.
  package func folderExists(atPath path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// True if a path leads to a pipe or a terminal, which is read once and from its beginning only.
  package func pipeExists(atPath path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && [S_IFIFO, S_IFCHR, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  /// Returns the bytes of a pipe until its writer closes it; nil if it cannot be read.
  package func bytes(ofPipe path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return bytesToEnd(of: descriptor)
  }

  /// Makes an empty file, and returns false where something has the name or it cannot be made.
  package func createNewFile(atPath path: String, permissions: Int) -> Bool {
    let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode_t(permissions))
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }

  /// The size of a file in bytes, links followed; nil where there is none.
  package func fileSize(atPath path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// The first bytes of a file, as many as there are; nil where it cannot be read.
  package func firstBytes(_ count: Int, atPath path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: count)
    let read = fread(&bytes, 1, count, file)
    return ferror(file) == 0 ? Array(bytes.prefix(read)) : nil
  }

  /// Returns the number of bytes of a file system that are free for the user; nil if it does not say.
  package func freeSpace(atPath path: String) -> Int64? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
  }
}
