import CSQLite
import SchemaKitTesting

/// A file that one connection has open: its locks, and where its bytes are.
///
/// It has identity because SQLite holds it by a pointer from the opening of the file to its closing.
final class SimulatedFile {
  let name: String
  let files: SimulatedFiles
  /// True for SQLite's own temporary files, which no crash leaves.
  let isTemporary: Bool
  let isDeletedOnClose: Bool
  /// True if the first sync makes the entry in the folder durable too.
  var isNewJournal: Bool
  /// The lock, one of SQLITE_LOCK_NONE to SQLITE_LOCK_EXCLUSIVE.
  var level: Int32 = 0
  /// The slots of shared memory that it has locked, one bit each.
  var sharedSlots: UInt32 = 0
  var exclusiveSlots: UInt32 = 0
  var usesSharedMemory = false

  init(name: String, files: SimulatedFiles, flags: Int32, isNew: Bool) {
    self.name = name
    self.files = files
    let temporary = SQLITE_OPEN_TEMP_DB | SQLITE_OPEN_TEMP_JOURNAL | SQLITE_OPEN_TRANSIENT_DB | SQLITE_OPEN_SUBJOURNAL
    isTemporary = flags & temporary != 0
    isDeletedOnClose = flags & SQLITE_OPEN_DELETEONCLOSE != 0
    isNewJournal =
      isNew && flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL) != 0
  }

  /// The bytes that SQLite allocates for a file: its own part, and a pointer to the object.
  static let size = MemoryLayout<sqlite3_file>.stride + MemoryLayout<UnsafeMutableRawPointer>.stride

  static func slot(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafeMutableRawPointer? {
    file.map { UnsafeMutableRawPointer($0) + MemoryLayout<sqlite3_file>.stride }
  }

  private static func object(_ file: UnsafeMutablePointer<sqlite3_file>?) -> SimulatedFile? {
    slot(file).map {
      Unmanaged<SimulatedFile>.fromOpaque($0.load(as: UnsafeMutableRawPointer.self)).takeUnretainedValue()
    }
  }

  /// SQLite's table of a file's functions, made once. See [sqlite3_io_methods](https://sqlite.org/c3ref/io_methods.html).
  nonisolated(unsafe) static let table: UnsafeMutablePointer<sqlite3_io_methods> = {
    var methods = sqlite3_io_methods()
    // Version 2 has shared memory for the WAL, and no mapping of files, which would bypass the functions here.
    methods.iVersion = 2
    methods.xClose = { file in
      guard let slot = slot(file) else { return SQLITE_IOERR }
      let opened = Unmanaged<SimulatedFile>.fromOpaque(slot.load(as: UnsafeMutableRawPointer.self)).takeRetainedValue()
      opened.files.close(opened)
      return SQLITE_OK
    }
    methods.xRead = { file, buffer, count, offset in
      guard let file = object(file), let buffer else { return SQLITE_IOERR }
      return file.files.read(
        file, into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)), at: Int(offset))
    }
    methods.xWrite = { file, bytes, count, offset in
      guard let file = object(file), let bytes else { return SQLITE_IOERR }
      return file.files.write(file, [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count))), at: Int(offset))
    }
    methods.xTruncate = { file, size in
      object(file).map { $0.files.change($0, .truncate($0.name, size: Int(size))) } ?? SQLITE_IOERR
    }
    methods.xSync = { file, _ in object(file).map { $0.files.sync($0) } ?? SQLITE_IOERR }
    methods.xFileSize = { file, size in
      guard let file = object(file) else { return SQLITE_IOERR }
      size?.pointee = Int64(file.files.size(of: file))
      return SQLITE_OK
    }
    methods.xLock = { file, level in object(file).map { $0.files.lock($0, level) } ?? SQLITE_IOERR }
    methods.xUnlock = { file, level in object(file).map { $0.files.unlock($0, level) } ?? SQLITE_IOERR }
    methods.xCheckReservedLock = { file, result in
      guard let file = object(file) else { return SQLITE_IOERR }
      result?.pointee = file.files.isReserved(file.name) ? 1 : 0
      return SQLITE_OK
    }
    methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
    methods.xSectorSize = { _ in 512 }
    // A good disk may be trusted with this, and no more: a write leaves the bytes around it alone.
    methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
    methods.xShmMap = { file, region, size, isExtending, result in
      guard let file = object(file) else { return SQLITE_IOERR }
      let memory = file.files.sharedMemory(
        of: file, region: Int(region), size: Int(size), isExtending: isExtending != 0)
      result?.pointee = memory
      return SQLITE_OK
    }
    methods.xShmLock = { file, offset, count, flags in
      object(file).map { $0.files.lockShared($0, slots: ((1 << UInt32(count)) - 1) << UInt32(offset), flags) }
        ?? SQLITE_IOERR
    }
    methods.xShmBarrier = { _ in }
    methods.xShmUnmap = { file, _ in
      guard let file = object(file) else { return SQLITE_OK }
      file.files.leaveSharedMemory(file)
      return SQLITE_OK
    }
    let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    table.initialize(to: methods)
    return table
  }()
}
