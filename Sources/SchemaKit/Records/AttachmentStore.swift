public import SchemaKitFoundation

/// The files that rows of a database refer to: stored beside it, and removed when no row refers to them any more.
///
/// They are in the folder `NAME.attachments` beside the database file `NAME`. A file is written before the row that
/// refers to it, and removed after the commit that deleted the last reference: a crash can leave behind a file that no
/// row refers to, but never a row whose file is missing. ``report()`` finds both.
///
/// It has identity because it remembers which files a transaction has stored.
public final class AttachmentStore {
  private unowned let connection: SQLiteConnection
  private let columns: [AttachmentColumn]
  /// Called after the commit that left attachments unreferenced, before their files are removed.
  private let onRemoval: ([FileAttachment]) -> Void
  /// The files that the open transaction has stored.
  private(set) var storedInTransaction: [FileAttachment] = []

  init(
    _ connection: SQLiteConnection, columns: [AttachmentColumn], onRemoval: @escaping ([FileAttachment]) -> Void
  ) {
    self.connection = connection
    self.columns = columns
    self.onRemoval = onRemoval
  }

  /// The folder of the files; nil for a database without a file.
  public var folder: String? { connection.filePath.map { $0 + ".attachments" } }

  /// Stores bytes as a new file.
  ///
  /// Inside a transaction the file is removed again if the transaction is rolled back.
  ///
  /// - Parameters:
  ///   - data: The content.
  ///   - id: The name, of letters, digits and `. _ + -`; nil for a new UUID.
  /// - Throws: ``RecordError`` if such an attachment already exists, the name is invalid, or the database is encrypted, which
  ///   the file would not be; errors of the file system.
  public func store(_ data: Data, as id: String? = nil) throws -> FileAttachment {
    let attachment = FileAttachment(id: id ?? UUID().uuidString.lowercased())
    let path = try self.path(of: attachment)
    guard connection.options.key == nil else {
      throw RecordError(
        .attachment(
          id: attachment.id,
          problem: "is not stored: the database is encrypted, and this file would not be. Keep the bytes in a property "
            + "of type Data"))
    }
    try FileManager.default.createDirectory(
      atPath: SQLiteConnection.folder(of: path), withIntermediateDirectories: true)
    guard !FileManager.default.fileExists(atPath: path) else {
      throw RecordError(.attachment(id: attachment.id, problem: "exists already and is not overwritten"))
    }
    // Never leaves a half-written file under its name.
    try data.write(to: URL(fileURLWithPath: path), options: .atomic)
    storedInTransaction = connection.isInTransaction ? storedInTransaction + [attachment] : []
    return attachment
  }

  /// Reads the content of an attachment.
  public func data(of attachment: FileAttachment) throws -> Data {
    let path = try self.path(of: attachment)
    guard FileManager.default.fileExists(atPath: path) else {
      throw RecordError(.attachment(id: attachment.id, problem: "has no file in \(folder ?? "")"))
    }
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// The path of an attachment's file, whether it exists or not.
  ///
  /// - Throws: ``RecordError`` if the id cannot be the name of a file in the folder, or the database has no file.
  public func path(of attachment: FileAttachment) throws -> String {
    try connection.requireFile(.attachments)
    try connection.requireOpen()
    guard let folder else {
      throw RecordError(.attachment(id: attachment.id, problem: "needs a database in a file"))
    }
    guard attachment.isPlain else {
      throw RecordError(
        .attachment(
          id: attachment.id, problem: "has an id that is not a plain name of up to 200 letters, digits and . _ + -"))
    }
    return folder + "/" + attachment.id
  }
}

/// The inconsistencies between the rows of a database and its attachments.
public struct AttachmentReport: Sendable, Hashable {
  /// Attachments whose files exist and that no row refers to.
  public let orphans: [FileAttachment]
  /// Attachments that rows refer to and whose files do not exist.
  public let missing: [FileAttachment]
}

extension AttachmentStore {
  /// Compares the files with the rows.
  ///
  /// *Cost:* reads the columns of attachments in all rows of their tables, and lists the folder.
  public func report() throws -> AttachmentReport {
    try connection.requireFile(.attachments)
    var named: Set<FileAttachment> = []
    for column in columns { try column.forEach(on: connection) { named.formUnion($0) } }
    let files = Set(try self.files())
    let order: (FileAttachment, FileAttachment) -> Bool = { $0.id < $1.id }
    // A row that cannot be read may still refer to a file.
    let orphans = try files.subtracting(named).filter { try !isNamed($0) }
    return AttachmentReport(
      orphans: orphans.sorted(by: order), missing: named.subtracting(files).sorted(by: order))
  }

  /// Removes the files that no row refers to, and returns them.
  ///
  /// Do not use it on a folder in which another task is storing files for rows that it has yet to save.
  @discardableResult
  public func removeOrphans() throws -> [FileAttachment] {
    let orphans = try report().orphans
    for orphan in orphans { try removeFile(of: orphan) }
    return orphans
  }

  private func files() throws -> [FileAttachment] {
    guard let folder, FileManager.default.fileExists(atPath: folder) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name)
      return attributes?[.type] as? FileAttributeType == .typeRegular
    }.map { FileAttachment(id: $0) }.filter(\.isPlain)
  }

  private func removeFile(of attachment: FileAttachment) throws {
    guard attachment.isPlain, let path = try? path(of: attachment), FileManager.default.fileExists(atPath: path) else {
      return
    }
    try FileManager.default.removeItem(atPath: path)
  }
}

extension AttachmentStore {
  private static let table = "_schemakit_attachments"

  /// From now on, records which references rows lose. Returns false if the schema has no columns of attachments.
  func watch() throws -> Bool {
    guard !columns.isEmpty else { return false }
    try connection.savepoint {
      try connection.execute("CREATE TEMP TABLE \(Self.table) (number INTEGER PRIMARY KEY, place, value)")
      for (place, column) in columns.enumerated() {
        let name = column.quoted
        let note = "INSERT INTO \(Self.table) (place, value) VALUES (\(place), old.\(name));"
        try connection.execute(
          """
          CREATE TEMP TRIGGER \(Self.table)_\(place)_delete AFTER DELETE ON \(column.source) \
          WHEN old.\(name) IS NOT NULL BEGIN \(note) END;
          CREATE TEMP TRIGGER \(Self.table)_\(place)_update AFTER UPDATE ON \(column.source) \
          WHEN old.\(name) IS NOT NULL AND old.\(name) IS NOT new.\(name) BEGIN \(note) END
          """)
      }
    }
    return true
  }

  /// Removes the files whose last reference was deleted by a commit.
  func removeUnnamed() throws {
    guard !columns.isEmpty else { return }
    let rows = try connection.rows("SELECT place, value FROM temp.\(Self.table)")
    guard !rows.isEmpty else { return }
    var candidates: [FileAttachment] = []
    for row in rows {
      guard let place = row[0].integer, columns.indices.contains(Int(place)) else { continue }
      // Unreadable values are left to the report.
      for attachment in (try? columns[Int(place)].names(row[1])) ?? [] where !candidates.contains(attachment) {
        candidates.append(attachment)
      }
    }
    let unnamed = try candidates.filter { try !isNamed($0) }
    try connection.run("DELETE FROM temp.\(Self.table)")
    guard !unnamed.isEmpty else { return }
    onRemoval(unnamed)
    for attachment in unnamed { try? removeFile(of: attachment) }
  }

  private func isNamed(_ attachment: FileAttachment) throws -> Bool {
    for column in columns where try column.has(attachment, on: connection) { return true }
    return false
  }

  /// Forgets which files the transaction stored, once it is committed.
  func forgetStored() { storedInTransaction = [] }

  /// Removes the files that a transaction or savepoint stored before it was rolled back.
  func removeStored(since mark: Int) {
    guard mark < storedInTransaction.count else { return }
    let stored = storedInTransaction[mark...]
    storedInTransaction.removeSubrange(mark...)
    for attachment in stored where (try? isNamed(attachment)) == false { try? removeFile(of: attachment) }
  }
}

/// A column whose values refer to attachments.
struct AttachmentColumn {
  let source: String
  let quoted: String
  let names: (SQLValue) throws -> [FileAttachment]

  /// The columns of a schema that hold attachments.
  static func all(in schema: ModelSchema) -> [AttachmentColumn] {
    guard schema.namesAttachments else { return [] }
    return schema.models.flatMap { model -> [AttachmentColumn] in
      let table = TableDeclaration(model)
      return table.columns.compactMap { column in
        column.attachments.map {
          AttachmentColumn(
            source: "\"main\".\(SQLQuoting.identifier(table.name))", quoted: SQLQuoting.identifier(column.name),
            names: $0)
        }
      }
    }
  }

  /// Passes the attachments of every readable row to the body.
  func forEach(on connection: SQLiteConnection, _ body: ([FileAttachment]) -> Void) throws {
    try connection.forEachRow("SELECT \(quoted) FROM \(source) NOT INDEXED WHERE \(quoted) IS NOT NULL", []) { row in
      body((try? names(row[0])) ?? [])
    }
  }

  /// True if any row refers to an attachment, or might but cannot be read.
  ///
  /// An id is a plain name, so it appears unescaped in JSON text.
  func has(_ attachment: FileAttachment, on connection: SQLiteConnection) throws -> Bool {
    let sql = "SELECT \(quoted) FROM \(source) NOT INDEXED WHERE instr(\(quoted), ?1)"
    var isNamed = false
    try connection.forEachRow(sql, [.text(attachment.id)]) { row in
      if !isNamed { isNamed = (try? names(row[0]).contains(attachment)) ?? true }
    }
    return isNamed
  }
}

extension FileAttachment {
  /// True if the id is a plain file name: not a path, not a hidden file, nothing that JSON would escape.
  var isPlain: Bool {
    !id.isEmpty && id.utf8.count <= 200 && !id.hasPrefix(".")
      && id.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || [UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-")].contains(byte)
      }
  }
}

extension RecordStore {
  /// Runs a transaction, and removes the files that it stored if it is rolled back.
  func keepingFiles<Result>(_ body: () throws -> Result) throws -> Result {
    let mark = attachments?.storedInTransaction.count ?? 0
    do {
      let result = try body()
      if !connection.isInTransaction { attachments?.forgetStored() }
      return result
    } catch {
      attachments?.removeStored(since: mark)
      throw error
    }
  }
}
