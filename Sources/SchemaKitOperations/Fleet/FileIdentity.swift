import SchemaKitFoundation

/// The identity of a file under any of its names: its device and inode.
package struct FileIdentity: Sendable, Hashable {
  package let device: Int64
  package let inode: Int64

  package init(device: Int64, inode: Int64) {
    self.device = device
    self.inode = inode
  }

  init(_ status: stat) {
    device = Int64(truncatingIfNeeded: status.st_dev)
    inode = Int64(truncatingIfNeeded: status.st_ino)
  }

  /// The identity of the file at a path, links followed; nil where there is none.
  init?(ofFileAt path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}
