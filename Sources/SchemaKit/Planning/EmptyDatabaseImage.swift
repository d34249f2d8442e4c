/// The bytes of a database file whose pages are empty b-trees that the catalog does not name yet.
///
/// See [Database File Format](https://sqlite.org/fileformat2.html).
struct EmptyDatabaseImage {
  /// The content of a b-tree: the rows of a table by rowid, or keys, as in indexes and WITHOUT ROWID tables.
  enum Tree: UInt8 {
    case rows = 0x0D
    case keys = 0x0A
  }

  /// The page size in bytes: small, since most pages stay empty, but enough for most statements to fit in one page.
  private static let pageSize = 1024
  private static let headerSize = 100

  private var trees: [Tree] = []

  /// Adds an empty b-tree and returns its page number.
  mutating func add(_ tree: Tree) -> Int64 {
    trees.append(tree)
    // The catalog is on the first page, and pages are numbered from 1.
    return Int64(trees.count + 1)
  }

  /// The content of the file.
  var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: (trees.count + 1) * Self.pageSize)
    func write(_ value: Int, at offset: Int, size: Int) {
      for index in 0..<size { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - index))) }
    }
    // The content of an empty page starts at its end.
    func writeEmptyPage(_ tree: Tree, at offset: Int) {
      bytes[offset] = tree.rawValue
      write(Self.pageSize, at: offset + 5, size: 2)
    }
    for (index, byte) in "SQLite format 3\0".utf8.enumerated() { bytes[index] = byte }
    write(Self.pageSize, at: 16, size: 2)
    // Rollback journal mode; the payload fractions that the format requires.
    for (offset, byte) in [(18, 1), (19, 1), (21, 64), (22, 32), (23, 32)] { write(byte, at: offset, size: 1) }
    // The change counter, and the version for which the number of pages is valid.
    for offset in [24, 92] { write(1, at: offset, size: 4) }
    write(trees.count + 1, at: 28, size: 4)
    // The schema cookie, the schema format with descending indexes, and UTF-8.
    for (offset, value) in [(40, 1), (44, 4), (56, 1)] { write(value, at: offset, size: 4) }
    writeEmptyPage(.rows, at: Self.headerSize)
    for (index, tree) in trees.enumerated() { writeEmptyPage(tree, at: (index + 1) * Self.pageSize) }
    return bytes
  }
}
