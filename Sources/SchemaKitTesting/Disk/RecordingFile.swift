import CSQLite
import SchemaKitFoundation

/// An open file behind SQLite's handle: the real one, and where its operations are told.
///
/// It has identity because SQLite holds it by a pointer from the opening of the file to its closing.
final class RecordingFile {
  private let real: UnsafeMutablePointer<sqlite3_file>
  private let folder: RecordedFolder?
  private let name: String
  /// True if the first sync makes the entry in the folder durable too.
  private var isNewJournal = false

  private init(real: UnsafeMutablePointer<sqlite3_file>, folder: RecordedFolder?, name: String) {
    self.real = real
    self.folder = folder
    self.name = name
  }

  /// The bytes that SQLite allocates for a file: its own part, and a pointer to the object.
  static let size = MemoryLayout<sqlite3_file>.stride + MemoryLayout<UnsafeMutableRawPointer>.stride

  private static func slot(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafeMutableRawPointer? {
    file.map { UnsafeMutableRawPointer($0) + MemoryLayout<sqlite3_file>.stride }
  }

  private static func object(_ file: UnsafeMutablePointer<sqlite3_file>?) -> RecordingFile? {
    slot(file).map {
      Unmanaged<RecordingFile>.fromOpaque($0.load(as: UnsafeMutableRawPointer.self)).takeUnretainedValue()
    }
  }

  private var methods: sqlite3_io_methods { real.pointee.pMethods.pointee }

  /// Opens a file for SQLite; a path that is nil is a temporary file of SQLite's own.
  static func open(
    _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ flagsOut: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    // SQLite closes a file that has methods, even when opening it failed.
    file?.pointee.pMethods = nil
    guard let system = sqlite3_vfs_find(nil), let slot = slot(file) else { return SQLITE_ERROR }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(system.pointee.szOsFile), alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: Int(system.pointee.szOsFile))
    let real = memory.bindMemory(to: sqlite3_file.self, capacity: 1)
    let place = RecordingFileSystem.place(of: path)
    let opened = RecordingFile(real: real, folder: place?.folder, name: place?.name ?? "")
    let open = { system.pointee.xOpen(system, path, real, flags, flagsOut) }
    var exists: Int32 = 1
    if place != nil { _ = system.pointee.xAccess(system, path, SQLITE_ACCESS_EXISTS, &exists) }
    let code: Int32
    if exists == 0, flags & SQLITE_OPEN_CREATE != 0, let place {
      opened.isNewJournal = flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL) != 0
      code = place.folder.perform(.create(place.name)) { _ in open() }
    } else {
      code = open()
    }
    guard code == SQLITE_OK else {
      memory.deallocate()
      return code
    }
    slot.storeBytes(of: Unmanaged.passRetained(opened).toOpaque(), as: UnsafeMutableRawPointer.self)
    file?.pointee.pMethods = UnsafePointer(table)
    return SQLITE_OK
  }

  private func perform(_ operation: FileOperation, _ work: (FileOperation) -> Int32) -> Int32 {
    folder?.perform(operation, work) ?? work(operation)
  }

  private func write(_ bytes: UnsafeRawPointer?, _ count: Int32, at offset: Int64) -> Int32 {
    guard let bytes else { return SQLITE_IOERR }
    guard let folder else { return methods.xWrite(real, bytes, count, offset) }
    let copy = [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    return folder.perform(.write(name, offset: Int(offset), bytes: copy)) { operation in
      guard case .write(_, _, let written) = operation else { return SQLITE_IOERR }
      return methods.xWrite(real, bytes, Int32(written.count), offset)
    }
  }

  private func sync() -> Int32 {
    let coversFolder = isNewJournal
    let code = perform(.sync(name, coversFolder: coversFolder)) { _ in SQLITE_OK }
    if code == SQLITE_OK { isNewJournal = false }
    return code
  }

  private func close() -> Int32 {
    let code = methods.xClose(real)
    UnsafeMutableRawPointer(real).deallocate()
    return code
  }

  /// SQLite's table of a file's functions, made once.
  nonisolated(unsafe) private static let table: UnsafeMutablePointer<sqlite3_io_methods> = {
    var methods = sqlite3_io_methods()
    // Version 2 has shared memory for the WAL, and no mapping of files, which would bypass the functions here.
    methods.iVersion = 2
    methods.xClose = { file in
      guard let slot = slot(file) else { return SQLITE_IOERR }
      let object = Unmanaged<RecordingFile>.fromOpaque(slot.load(as: UnsafeMutableRawPointer.self)).takeRetainedValue()
      return object.close()
    }
    methods.xRead = { file, buffer, count, offset in
      object(file).map { $0.methods.xRead($0.real, buffer, count, offset) } ?? SQLITE_IOERR
    }
    methods.xWrite = { file, bytes, count, offset in object(file)?.write(bytes, count, at: offset) ?? SQLITE_IOERR }
    methods.xTruncate = { file, size in
      object(file).map { file in
        file.perform(.truncate(file.name, size: Int(size))) { _ in file.methods.xTruncate(file.real, size) }
      } ?? SQLITE_IOERR
    }
    methods.xSync = { file, _ in object(file)?.sync() ?? SQLITE_IOERR }
    methods.xFileSize = { file, size in object(file).map { $0.methods.xFileSize($0.real, size) } ?? SQLITE_IOERR }
    methods.xLock = { file, level in object(file).map { $0.methods.xLock($0.real, level) } ?? SQLITE_IOERR }
    methods.xUnlock = { file, level in object(file).map { $0.methods.xUnlock($0.real, level) } ?? SQLITE_IOERR }
    methods.xCheckReservedLock = { file, result in
      object(file).map { $0.methods.xCheckReservedLock($0.real, result) } ?? SQLITE_IOERR
    }
    methods.xFileControl = { file, operation, argument in
      guard let object = object(file), operation != SQLITE_FCNTL_MMAP_SIZE else { return SQLITE_NOTFOUND }
      return object.methods.xFileControl(object.real, operation, argument)
    }
    methods.xSectorSize = { file in object(file).map { $0.methods.xSectorSize($0.real) } ?? 4096 }
    // A good disk may be trusted with this, and no more: a write leaves the bytes around it alone.
    methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
    methods.xShmMap = { file, region, size, isWriting, result in
      object(file).map { $0.methods.xShmMap($0.real, region, size, isWriting, result) } ?? SQLITE_IOERR
    }
    methods.xShmLock = { file, offset, count, flags in
      object(file).map { $0.methods.xShmLock($0.real, offset, count, flags) } ?? SQLITE_IOERR
    }
    methods.xShmBarrier = { file in object(file).map { $0.methods.xShmBarrier($0.real) } }
    methods.xShmUnmap = { file, isDeleting in
      object(file).map { $0.methods.xShmUnmap($0.real, isDeleting) } ?? SQLITE_OK
    }
    let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    table.initialize(to: methods)
    return table
  }()
}
