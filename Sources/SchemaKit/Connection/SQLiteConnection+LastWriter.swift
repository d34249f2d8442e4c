import CSQLite

extension SQLiteConnection {
  /// The version number of the SQLite that wrote the file last, for example 3040001; nil where the file does not say.
  ///
  /// It stands in the [header of the file](https://sqlite.org/fileformat2.html#write_library_version_number_and_version_valid_for_number),
  /// in the newest version of the first page that is committed, which in WAL mode may be in the log; there a transaction that leaves
  /// the first page alone leaves no trace. Versions before 3.7 do not write it, an encrypted file hides it, and a server's is not
  /// here.
  ///
  /// *Cost:* 100 bytes, and 24 for each page in a write-ahead log.
  package var lastWriterVersionNumber: Int? {
    guard server == nil, let file = openFile(SQLITE_FCNTL_FILE_POINTER), let header = Self.bytes(100, of: file, at: 0),
      header.starts(with: "SQLite format 3\0".utf8)
    else { return nil }
    let isLogged = header[18] == 2
    let page =
      isLogged ? openFile(SQLITE_FCNTL_JOURNAL_POINTER).flatMap { Self.newestHeader(in: $0) } ?? header : header
    // A writer that does not know of the number leaves it behind the count of changes.
    guard Self.number(page, at: 24) == Self.number(page, at: 92) else { return nil }
    let number = Self.number(page, at: 96)
    return number >= 3_007_000 ? number : nil
  }

  /// The first page's header as the last commit in a [write-ahead log](https://sqlite.org/fileformat2.html#walformat) has it; nil if
  /// none changed it.
  private static func newestHeader(in log: UnsafeMutablePointer<sqlite3_file>) -> [UInt8]? {
    guard let head = bytes(32, of: log, at: 0), [0x377F_0682, 0x377F_0683].contains(number(head, at: 0)) else {
      return nil
    }
    let (pageSize, salts) = (number(head, at: 8), head[16..<24])
    guard pageSize >= 512 else { return nil }
    var (place, seen, committed): (Int64, Int64?, Int64?) = (32, nil, nil)
    // Frames from before the log was begun anew have other salts.
    while let frame = bytes(24, of: log, at: place), frame[8..<16] == salts {
      if number(frame, at: 0) == 1 { seen = place + 24 }
      if number(frame, at: 4) != 0 { committed = seen }
      place += Int64(24 + pageSize)
    }
    return committed.flatMap { bytes(100, of: log, at: $0) }
  }

  /// A file of SQLite's, read through SQLite: closing another descriptor of it would release this process's locks.
  private func openFile(_ operation: Int32) -> UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(handle, "main", operation, &file) == SQLITE_OK, file?.pointee.pMethods != nil else {
      return nil
    }
    return file
  }

  private static func bytes(_ count: Int, of file: UnsafeMutablePointer<sqlite3_file>, at place: Int64) -> [UInt8]? {
    guard let read = file.pointee.pMethods?.pointee.xRead else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    return read(file, &bytes, Int32(count), place) == SQLITE_OK ? bytes : nil
  }

  private static func number(_ bytes: [UInt8], at index: Int) -> Int {
    bytes[index..<index + 4].reduce(0) { $0 << 8 | Int($1) }
  }
}
