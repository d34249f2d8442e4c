/// One change of a file, as SQLite asked its file system for it.
package enum FileOperation: Sendable, Hashable {
  case create(String)
  case write(String, offset: Int, bytes: [UInt8])
  case truncate(String, size: Int)
  /// - Parameter coversFolder: True if the folder is made durable too, as SQLite does for a new journal or WAL.
  case sync(String, coversFolder: Bool)
  case delete(String, isDurable: Bool)
}

extension FileOperation {
  /// The name of the file in its folder.
  package var file: String {
    switch self {
    case .create(let file), .write(let file, _, _), .truncate(let file, _), .sync(let file, _), .delete(let file, _):
      file
    }
  }

  /// True if the operation changes what is in a file, not whether it exists.
  package var changesContent: Bool {
    switch self {
    case .write, .truncate: true
    case .create, .sync, .delete: false
    }
  }

  /// The first half of a write of more than one byte; nil for anything else.
  package var firstHalf: FileOperation? {
    guard case .write(let file, let offset, let bytes) = self, bytes.count > 1 else { return nil }
    return .write(file, offset: offset, bytes: Array(bytes.prefix(bytes.count / 2)))
  }
}

extension FileOperation: CustomStringConvertible {
  package var description: String {
    switch self {
    case .create(let file): "create \(file)"
    case .write(let file, let offset, let bytes): "write \(bytes.count) bytes at \(offset) of \(file)"
    case .truncate(let file, let size): "truncate \(file) to \(size) bytes"
    case .sync(let file, _): "sync \(file)"
    case .delete(let file, _): "delete \(file)"
    }
  }
}
