/// A way in which an operation on a file fails.
public enum DiskFault: String, Sendable, Hashable, CaseIterable {
  /// The disk is full: a write changes nothing and returns SQLITE_FULL.
  case full
  /// The disk becomes full in the middle of a write: half of it arrives, and it returns SQLITE_FULL.
  case shortWrite
  /// One operation fails with an I/O error and changes nothing; the next ones work.
  case failing
  /// The disk is gone: this operation and every later one fail with an I/O error.
  case gone
}

extension DiskFault {
  /// True if the fault makes sense for an operation.
  func applies(to operation: FileOperation) -> Bool {
    switch self {
    case .full: if case .write = operation { true } else { false }
    case .shortWrite: operation.firstHalf != nil
    case .failing, .gone: true
    }
  }
}

/// A fault and the first operation that it affects.
struct FaultPoint: Sendable, Hashable {
  var fault: DiskFault
  /// The number of the operation, from 1.
  var number: Int

  /// True if the operation with a number fails.
  func strikes(_ number: Int) -> Bool { fault == .gone ? number >= self.number : number == self.number }
}
