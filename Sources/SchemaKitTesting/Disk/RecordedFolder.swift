import CSQLite
import SchemaKitFoundation

/// A folder whose file operations by SQLite are recorded, or made to fail.
///
/// It has identity because the callbacks of the file system and the test that runs it share it.
final class RecordedFolder: @unchecked Sendable {
  let path: String
  // `lock` guards the log, the count and the fault.
  private let lock = Lock()
  private var log: [FileOperation] = []
  private var count = 0
  private let fault: FaultPoint?
  private let isRecording: Bool

  /// - Parameters:
  ///   - path: An existing folder, without symbolic links in its path.
  ///   - isRecording: True if the operations are kept.
  ///   - fault: The fault to cause, and its place.
  init(path: String, isRecording: Bool = false, fault: FaultPoint? = nil) {
    self.path = path
    self.isRecording = isRecording
    self.fault = fault
  }

  /// The operations that succeeded, in order.
  var operations: [FileOperation] { lock.withLock { log } }

  /// Performs an operation, unless it is to fail.
  ///
  /// - Parameters:
  ///   - operation: The operation that SQLite asks for.
  ///   - work: Does it on the real file and returns SQLite's result code.
  func perform(_ operation: FileOperation, _ work: (FileOperation) -> Int32) -> Int32 {
    lock.withLock {
      count += 1
      if let fault, fault.strikes(count) {
        if fault.fault == .shortWrite, let half = operation.firstHalf { _ = work(half) }
        return operation.failure(fault.fault)
      }
      let code = work(operation)
      if isRecording, code == SQLITE_OK { log.append(operation) }
      return code
    }
  }
}

extension FileOperation {
  /// The code with which the operation fails. See [Result and Error Codes](https://sqlite.org/rescode.html).
  fileprivate func failure(_ fault: DiskFault) -> Int32 {
    switch self {
    case .create: SQLITE_CANTOPEN
    case .write: fault == .full || fault == .shortWrite ? SQLITE_FULL : SQLITE_IOERR | 3 << 8
    case .sync: SQLITE_IOERR | 4 << 8
    case .truncate: SQLITE_IOERR | 6 << 8
    case .delete: SQLITE_IOERR | 10 << 8
    }
  }
}
