import CSQLite
import SchemaKitFoundation

/// SQLite's default file system for as long as the process lives: files below `folder` are those of the simulation that runs,
/// others are real. Time and random numbers come from the simulation.
///
/// See [The OS Backend (VFS)](https://sqlite.org/vfs.html).
enum SimulatedFileSystem {
  static let folder = "/simulation/"

  /// The simulation that runs. It is set before its first connection is opened, by the thread that starts all others.
  nonisolated(unsafe) static var world: World?

  nonisolated(unsafe) private static let real = sqlite3_vfs_find(nil)

  /// Registers the file system, once.
  static let isRegistered: Bool = {
    guard let original = real else { return false }
    let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    system.initialize(to: original.pointee)
    system.pointee.pNext = nil
    system.pointee.zName = UnsafePointer(strdup("schemakit-simulation"))
    system.pointee.szOsFile = max(original.pointee.szOsFile, Int32(SimulatedFile.size))
    system.pointee.mxPathname = 512
    system.pointee.xOpen = { _, path, file, flags, flagsOut in
      open(path.map { $0 }, file, flags, flagsOut)
    }
    system.pointee.xDelete = { _, path, isDurable in
      guard let name = name(of: path), let world else {
        return real?.pointee.xDelete(real, path, isDurable) ?? SQLITE_IOERR
      }
      return world.files.delete(name, isDurable: isDurable != 0)
    }
    system.pointee.xAccess = { _, path, flags, result in
      guard let name = name(of: path), let world else {
        return real?.pointee.xAccess(real, path, flags, result) ?? SQLITE_IOERR
      }
      result?.pointee = world.files.exists(name) ? 1 : 0
      return SQLITE_OK
    }
    system.pointee.xFullPathname = { _, path, size, result in
      guard name(of: path) != nil, let path, let result, strlen(path) < Int(size) else {
        return real?.pointee.xFullPathname(real, path, size, result) ?? SQLITE_CANTOPEN
      }
      strcpy(result, path)
      return SQLITE_OK
    }
    system.pointee.xRandomness = { _, count, bytes in
      guard let world, let bytes else { return real?.pointee.xRandomness(real, count, bytes) ?? 0 }
      for index in 0..<Int(count) { bytes[index] = CChar(truncatingIfNeeded: world.randomNumber(below: 256)) }
      return count
    }
    system.pointee.xSleep = { _, microseconds in
      guard let world else { return real?.pointee.xSleep(real, microseconds) ?? 0 }
      world.schedule.sleep(nanoseconds: Int(microseconds) * 1_000)
      return microseconds
    }
    system.pointee.xCurrentTime = { _, days in
      guard let world else { return real?.pointee.xCurrentTime(real, days) ?? SQLITE_ERROR }
      days?.pointee = Double(world.julianMilliseconds) / 86_400_000
      return SQLITE_OK
    }
    system.pointee.xCurrentTimeInt64 = { _, milliseconds in
      guard let world else { return real?.pointee.xCurrentTimeInt64(real, milliseconds) ?? SQLITE_ERROR }
      milliseconds?.pointee = Int64(world.julianMilliseconds)
      return SQLITE_OK
    }
    return sqlite3_vfs_register(system, 1) == SQLITE_OK
  }()

  private static func open(
    _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ flagsOut: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let file else { return SQLITE_ERROR }
    file.pointee.pMethods = nil
    let name = name(of: path)
    guard name != nil || path == nil, let world else {
      return real?.pointee.xOpen(real, path, file, flags, flagsOut) ?? SQLITE_CANTOPEN
    }
    flagsOut?.pointee = flags
    return world.files.open(name, file, flags)
  }

  /// The name of a file below the folder.
  private static func name(of path: UnsafePointer<CChar>?) -> String? {
    guard let path else { return nil }
    let text = String(cString: path)
    return text.hasPrefix(folder) ? String(text.dropFirst(folder.count)) : nil
  }
}
