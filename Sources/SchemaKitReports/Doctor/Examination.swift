import OrderedCollections
package import SchemaKit

/// The results of examining a database file.
package struct Examination: Sendable {
  /// The layout of the file, and the files beside it.
  package struct FileProperties: Sendable, Hashable {
    package var pageSize = 0
    package var pageCount = 0
    package var freePageCount = 0
    package var encoding = ""
    package var journalMode = ""
    package var applicationID = 0
    package var userVersion = 0
    /// The SQLite that wrote the file last; nil where the file does not say.
    package var lastWriter: SQLiteVersion?
    /// The size of the write-ahead log beside the file, in bytes; nil if there is none.
    package var walBytes: Int?
    /// The size of the rollback journal beside the file before it was opened, in bytes; nil if there was none in use.
    package var journalBytes: Int?

    package init() {}

    /// The number of bytes that VACUUM would give back to the disk, if that is worth the work; otherwise nil.
    package var reclaimableBytes: Int? {
      let free = freePageCount * pageSize
      return freePageCount * 4 >= pageCount && free >= 1 << 20 ? free : nil
    }

    /// Reads how many pages the file has, and how many of them hold nothing.
    package mutating func readPages(of connection: SQLiteConnection) throws {
      func number(_ pragma: String) throws -> Int { Int(try connection.integer("PRAGMA main.\(pragma)") ?? 0) }
      pageSize = Int(try connection.pageSize ?? 0)
      pageCount = try number("page_count")
      freePageCount = try number("freelist_count")
    }
  }

  /// The content of the schema; nil if it could not be read.
  package struct Contents: Sendable, Hashable {
    package var tables: Int
    package var indexes: Int
    package var views: Int
    package var triggers: Int
    package var virtualTables: Int

    package init(_ schema: DatabaseSchema) {
      tables = schema.tables.count
      indexes = schema.indexes.count
      views = schema.views.count
      triggers = schema.triggers.count
      virtualTables = schema.virtualTables.count
    }
  }

  /// The capabilities of the SQLite that examined the file.
  package struct Engine: Sendable, Hashable {
    package var version: String
    package var sourceID: String
    package var canDropColumns: Bool
    package var canAlterConstraints: Bool
    package var canEditCatalog: Bool
    package var hasStrictTables: Bool

    package init(version: String, sourceID: String, profile: EngineProfile) {
      self.version = version
      self.sourceID = sourceID
      canDropColumns = profile.canDropColumn
      canAlterConstraints = profile.canAlterConstraints
      hasStrictTables = profile.hasStrictTables
      canEditCatalog = profile.canEditCatalog
    }
  }

  package var file = FileProperties()
  package var contents: Contents?
  /// The number of changes that the history lists; nil if there is no history.
  package var historyEntries: Int?
  package var engine: Engine
  /// True if the file was checked with `quick_check`.
  package var isQuick: Bool
  package var findings: [Finding] = []

  package init(engine: Engine, isQuick: Bool) {
    self.engine = engine
    self.isQuick = isQuick
  }
}
