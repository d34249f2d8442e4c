/// The files of a folder as recorded operations leave them: what a program sees, and what is safe from a power cut.
package struct SimulatedDisk {
  /// A file's bytes, with a number that no other content has.
  package struct Content: Sendable {
    package var bytes: [UInt8]
    package var version: Int
  }

  /// The files as a program sees them.
  package private(set) var live: [String: Content] = [:]
  /// The files as they are when nothing arrived that was not synced.
  private(set) var durable: [String: Content] = [:]
  /// The operations that were done and not synced yet, in order.
  private(set) var pending: [FileOperation] = []
  private var versions = 0

  package init(_ files: [String: [UInt8]]) {
    for (name, bytes) in files {
      versions += 1
      live[name] = Content(bytes: bytes, version: versions)
    }
    durable = live
  }

  /// Carries out one operation.
  package mutating func apply(_ operation: FileOperation) {
    switch operation {
    case .sync(let file, let coversFolder):
      durable[file] = live[file]
      pending.removeAll { $0.file == file }
      if coversFolder { makeFolderDurable() }
    case .delete(let file, let isDurable):
      live[file] = nil
      pending.append(operation)
      if isDurable { makeFolderDurable() }
    case .create, .write, .truncate:
      versions += 1
      live.apply(operation, version: versions)
      pending.append(operation)
    }
  }

  /// Makes durable which files there are, but not what is in them.
  private mutating func makeFolderDurable() {
    for operation in pending {
      switch operation {
      case .create(let file):
        versions += 1
        durable[file] = Content(bytes: [], version: versions)
      case .delete(let file, _): durable[file] = nil
      case .write, .truncate, .sync: break
      }
    }
    let ended = pending.lastIndexByFile { if case .delete = $0 { true } else { false } }
    pending = pending.enumerated().filter { index, operation in
      operation.changesContent && index > ended[operation.file] ?? -1
    }.map(\.element)
  }

  /// The files when only some of what was not synced arrived.
  func files(keeping isKept: (Int, FileOperation) -> Bool) -> [String: Content] {
    var files = durable
    for (index, operation) in pending.enumerated() where isKept(index, operation) {
      if case .delete(let file, _) = operation { files[file] = nil } else { files.apply(operation, version: 0) }
    }
    return files
  }
}

extension [FileOperation] {
  fileprivate func lastIndexByFile(where isMatch: (FileOperation) -> Bool) -> [String: Int] {
    var result: [String: Int] = [:]
    for (index, operation) in enumerated() where isMatch(operation) { result[operation.file] = index }
    return result
  }
}

extension [String: SimulatedDisk.Content] {
  /// Creates, writes or truncates a file.
  mutating func apply(_ operation: FileOperation, version: Int) {
    switch operation {
    case .create(let file): self[file] = SimulatedDisk.Content(bytes: [], version: version)
    case .write(let file, let offset, let bytes):
      self[file, default: SimulatedDisk.Content(bytes: [], version: version)].write(bytes, at: offset)
      self[file]?.version = version
    case .truncate(let file, let size):
      self[file]?.resize(to: size)
      self[file]?.version = version
    case .sync, .delete: break
    }
  }
}

extension SimulatedDisk.Content {
  fileprivate mutating func write(_ new: [UInt8], at offset: Int) {
    if bytes.count < offset + new.count { resize(to: offset + new.count) }
    bytes.withUnsafeMutableBytes { buffer in
      guard let start = buffer.baseAddress else { return }
      new.withUnsafeBytes { source in
        if let from = source.baseAddress { (start + offset).copyMemory(from: from, byteCount: new.count) }
      }
    }
  }

  fileprivate mutating func resize(to size: Int) {
    if size < bytes.count {
      bytes.removeLast(bytes.count - size)
    } else if size > bytes.count {
      bytes.append(contentsOf: [UInt8](repeating: 0, count: size - bytes.count))
    }
  }
}
