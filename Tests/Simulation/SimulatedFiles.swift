import CSQLite
import SchemaKitTesting

/// The files of a simulation, in memory, with the locks that connections hold on them.
///
/// Every operation is announced to the simulation, which may fail it and may let another thread go on before the next one.
final class SimulatedFiles {
  private(set) var disk: SimulatedDisk
  /// SQLite's own temporary files.
  private var temporary: [String: [UInt8]] = [:]
  private var opened: [String: [SimulatedFile]] = [:]
  private var sharedMemory: [String: [UnsafeMutableRawPointer]] = [:]
  private var temporaryNames = 0
  /// True for a disk that says of each sync that it is done, and does nothing.
  private let isLying: Bool
  /// Told of each operation; the code that it returns is the operation's result unless it is SQLITE_OK.
  private let announce: (FileEvent) -> Int32

  init(_ files: [String: [UInt8]], isLying: Bool, announce: @escaping (FileEvent) -> Int32) {
    self.isLying = isLying
    disk = SimulatedDisk(files)
    self.announce = announce
  }

  deinit {
    for region in sharedMemory.values.joined() { region.deallocate() }
  }

  func bytes(of name: String) -> [UInt8]? { disk.live[name]?.bytes }

  /// Replaces what is on the disk. No connection may be open.
  func replace(with files: [String: [UInt8]]) {
    precondition(opened.values.allSatisfy(\.isEmpty), "A connection is still open.")
    disk = SimulatedDisk(files)
    for region in sharedMemory.values.joined() { region.deallocate() }
    sharedMemory = [:]
    temporary = [:]
    opened = [:]
  }

  // MARK: - Files

  func open(_ name: String?, _ file: UnsafeMutablePointer<sqlite3_file>, _ flags: Int32) -> Int32 {
    temporaryNames += name == nil ? 1 : 0
    let name = name ?? "temporary-\(temporaryNames)"
    let probe = SimulatedFile(name: name, files: self, flags: flags, isNew: false)
    let exists = probe.isTemporary ? temporary[name] != nil : disk.live[name] != nil
    guard exists || flags & SQLITE_OPEN_CREATE != 0 else { return SQLITE_CANTOPEN }
    let operation = FileOperation.create(name)
    let code = announce(exists ? .opening(name) : .changing(operation))
    if code != SQLITE_OK { return SQLITE_CANTOPEN }
    // Another thread may have created it meanwhile.
    let isThere = probe.isTemporary ? temporary[name] != nil : disk.live[name] != nil
    let new = SimulatedFile(name: name, files: self, flags: flags, isNew: !isThere)
    if !isThere {
      if new.isTemporary { temporary[name] = [] } else { disk.apply(operation) }
    }
    opened[name, default: []].append(new)
    SimulatedFile.slot(file)?.storeBytes(
      of: Unmanaged.passRetained(new).toOpaque(), as: UnsafeMutableRawPointer.self)
    file.pointee.pMethods = UnsafePointer(SimulatedFile.table)
    return SQLITE_OK
  }

  func close(_ file: SimulatedFile) {
    leaveSharedMemory(file)
    opened[file.name]?.removeAll { $0 === file }
    if file.isDeletedOnClose { temporary[file.name] = nil }
  }

  func exists(_ name: String) -> Bool { disk.live[name] != nil }

  func delete(_ name: String, isDurable: Bool) -> Int32 {
    guard disk.live[name] != nil else { return SQLITE_IOERR | 23 << 8 }
    let operation = FileOperation.delete(name, isDurable: isDurable)
    let code = announce(.changing(operation))
    // Another thread may have deleted it meanwhile.
    if code == SQLITE_OK, disk.live[name] != nil { disk.apply(operation) }
    return code
  }

  func size(of file: SimulatedFile) -> Int {
    (file.isTemporary ? temporary[file.name]?.count : disk.live[file.name]?.bytes.count) ?? 0
  }

  func read(_ file: SimulatedFile, into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int32 {
    let code = announce(.reading(file.name, offset: offset, count: buffer.count))
    if code != SQLITE_OK { return code }
    let size = size(of: file)
    let count = max(0, min(buffer.count, size - offset))
    let copy = { (bytes: [UInt8]) in
      bytes.withUnsafeBytes { source in
        if count > 0 { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[offset..<offset + count])) }
      }
    }
    if file.isTemporary { temporary[file.name].map(copy) } else { disk.live[file.name].map { copy($0.bytes) } }
    guard count < buffer.count else { return SQLITE_OK }
    for index in count..<buffer.count { buffer[index] = 0 }
    return SQLITE_IOERR | 2 << 8
  }

  func write(_ file: SimulatedFile, _ bytes: [UInt8], at offset: Int) -> Int32 {
    change(file, .write(file.name, offset: offset, bytes: bytes))
  }

  func change(_ file: SimulatedFile, _ operation: FileOperation) -> Int32 {
    let code = announce(.changing(operation))
    if code == SQLITE_OK {
      carryOut(operation, on: file)
    } else if code == SQLITE_FULL, let half = operation.firstHalf {
      carryOut(half, on: file)
    }
    return code
  }

  private func carryOut(_ operation: FileOperation, on file: SimulatedFile) {
    guard file.isTemporary else { return disk.apply(operation) }
    var bytes = temporary.removeValue(forKey: file.name) ?? []
    switch operation {
    case .write(_, let offset, let new):
      if bytes.count < offset + new.count {
        bytes.append(contentsOf: [UInt8](repeating: 0, count: offset + new.count - bytes.count))
      }
      bytes.replaceSubrange(offset..<offset + new.count, with: new)
    case .truncate(_, let size): bytes.removeLast(max(0, bytes.count - size))
    case .create, .sync, .delete: break
    }
    temporary[file.name] = bytes
  }

  func sync(_ file: SimulatedFile) -> Int32 {
    if file.isTemporary { return SQLITE_OK }
    let operation = FileOperation.sync(file.name, coversFolder: file.isNewJournal)
    let code = announce(.changing(operation))
    if code == SQLITE_OK {
      if !isLying { disk.apply(operation) }
      file.isNewJournal = false
    }
    return code
  }

  // MARK: - Locks

  private func others(than file: SimulatedFile) -> [SimulatedFile] {
    (opened[file.name] ?? []).filter { $0 !== file }
  }

  /// Takes a lock as SQLite's file systems do. See [File Locking](https://sqlite.org/lockingv3.html).
  func lock(_ file: SimulatedFile, _ level: Int32) -> Int32 {
    if file.level >= level { return SQLITE_OK }
    let code = announce(.locking(file.name, level: level))
    if code != SQLITE_OK { return code }
    let highest = others(than: file).map(\.level).max() ?? 0
    switch level {
    case SQLITE_LOCK_SHARED:
      if highest >= SQLITE_LOCK_PENDING { return SQLITE_BUSY }
    case SQLITE_LOCK_RESERVED:
      if highest >= SQLITE_LOCK_RESERVED { return SQLITE_BUSY }
    default:
      if highest >= SQLITE_LOCK_RESERVED { return SQLITE_BUSY }
      file.level = SQLITE_LOCK_PENDING
      if highest >= SQLITE_LOCK_SHARED { return SQLITE_BUSY }
    }
    file.level = level
    return SQLITE_OK
  }

  func unlock(_ file: SimulatedFile, _ level: Int32) -> Int32 {
    if file.level > level {
      file.level = level
      _ = announce(.unlocking(file.name, level: level))
    }
    return SQLITE_OK
  }

  func isReserved(_ name: String) -> Bool { (opened[name] ?? []).contains { $0.level >= SQLITE_LOCK_RESERVED } }

  // MARK: - Shared memory of a WAL

  func sharedMemory(
    of file: SimulatedFile, region: Int, size: Int, isExtending: Bool
  ) -> UnsafeMutableRawPointer? {
    file.usesSharedMemory = true
    var regions = sharedMemory[file.name] ?? []
    if region >= regions.count, !isExtending { return nil }
    while regions.count <= region {
      let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      regions.append(memory)
    }
    sharedMemory[file.name] = regions
    return regions[region]
  }

  func lockShared(_ file: SimulatedFile, slots: UInt32, _ flags: Int32) -> Int32 {
    guard flags & SQLITE_SHM_LOCK != 0 else {
      file.sharedSlots &= ~slots
      file.exclusiveSlots &= ~slots
      _ = announce(.unlocking(file.name, level: Int32(slots)))
      return SQLITE_OK
    }
    let code = announce(.locking(file.name, level: Int32(slots)))
    if code != SQLITE_OK { return code }
    let others = others(than: file)
    if flags & SQLITE_SHM_SHARED != 0 {
      if others.contains(where: { $0.exclusiveSlots & slots != 0 }) { return SQLITE_BUSY }
      file.sharedSlots |= slots
    } else {
      if others.contains(where: { ($0.exclusiveSlots | $0.sharedSlots) & slots != 0 }) { return SQLITE_BUSY }
      file.exclusiveSlots |= slots
    }
    return SQLITE_OK
  }

  func leaveSharedMemory(_ file: SimulatedFile) {
    guard file.usesSharedMemory else { return }
    file.usesSharedMemory = false
    file.sharedSlots = 0
    file.exclusiveSlots = 0
    if others(than: file).contains(where: \.usesSharedMemory) { return }
    for region in sharedMemory.removeValue(forKey: file.name) ?? [] { region.deallocate() }
  }
}

/// An operation that is about to be done on a file.
enum FileEvent {
  case opening(String)
  case reading(String, offset: Int, count: Int)
  case changing(FileOperation)
  case locking(String, level: Int32)
  case unlocking(String, level: Int32)
}
