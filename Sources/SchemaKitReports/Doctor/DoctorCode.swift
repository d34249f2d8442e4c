package import SchemaKit

/// The permanent code of something that `doctor` finds in a file, in addition to what `lint` finds in its schema.
package enum DoctorCode: String, Sendable, Hashable, CaseIterable {
  case damage = "SD101"
  case brokenRows = "SD102"
  case orphans = "SD103"
  case unexamined = "SD104"
  case fullText = "SD105"
  case otherRules = "SD106"
  case lostTables = "SD107"
  case leftover = "SD201"
  case history = "SD202"
  case keptRows = "SD203"
  case otherSchema = "SD204"
  case lostHistory = "SD205"
  case expanded = "SD206"
  case onlineCopy = "SD207"
  case journal = "SD301"
  case longWAL = "SD302"
  case statistics = "SD303"
  case freePages = "SD304"

  package var severity: Finding.Severity {
    switch self {
    case .damage: .error
    case .brokenRows, .orphans, .unexamined, .fullText, .otherRules, .lostTables, .leftover, .history,
      .lostHistory:
      .warning
    // Another tool may be in charge of the schema, which fails nothing.
    case .otherSchema, .keptRows, .expanded, .onlineCopy, .journal, .longWAL, .statistics, .freePages: .note
    }
  }

  /// The title of the finding, in a few words.
  package var title: String {
    switch self {
    case .damage: "damaged file"
    case .brokenRows: "rows that their table refuses"
    case .orphans: "rows without their parent"
    case .unexamined: "part that could not be examined"
    case .fullText: "full-text index that differs from its texts"
    case .otherRules: "index of another SQLite"
    case .lostTables: "virtual table that lacks tables of its module"
    case .leftover: "table that was left over"
    case .history: "history that cannot be read"
    case .keptRows: "rows kept for undo"
    case .otherSchema: "schema that the history does not have"
    case .lostHistory: "history that is gone"
    case .expanded: "schema between two versions"
    case .onlineCopy: "table that is being copied"
    case .journal: "journal of a transaction"
    case .longWAL: "long write-ahead log"
    case .statistics: "tables without statistics"
    case .freePages: "pages that hold nothing"
    }
  }

  /// The reason why the finding matters, in a sentence.
  package var reason: String {
    switch self {
    case .damage: "`integrity_check` finds pages, rows or indexes that contradict each other; writing may destroy more"
    case .brokenRows:
      "they were stored before the rule, or past it; a copy of the table, or an UPDATE of them, can fail"
    case .orphans: "they were written while `foreign_keys` was off, which is SQLite's default"
    case .unexamined: "SQLite or SchemaKit cannot read something, so that nothing is known of it"
    case .fullText:
      "rows were written past its triggers, or it was never filled; a search misses rows or finds them by words they lack"
    case .otherRules:
      "its values were computed by a version that computes them otherwise, so that searches by it miss rows for one of the two"
    case .lostTables:
      "another program dropped a table that a module keeps content in; the virtual table may be neither read nor dropped"
    case .leftover: "a script that was stopped half-way, or another program, left a table with a name of SchemaKit's"
    case .history:
      "a table of the history was changed by something else, or by a newer SchemaKit; every migration is refused"
    case .keptRows: "`apply --keep` keeps what it drops, and it takes room until it is thrown away"
    case .otherSchema:
      "something else changed the schema, or the history came from another file or an older copy; `undo` is refused"
    case .lostHistory:
      "its tables were dropped, or the file was restored from elsewhere; `undo` and what was kept for it are lost"
    case .expanded:
      "the file has what an older program needs, or what was not removed yet; triggers and columns take time and room"
    case .onlineCopy: "every write of the table is logged, and other changes of the schema are refused"
    case .journal: "somebody is writing at this moment, or was stopped; then SQLite rolls back when the file is opened"
    case .longWAL: "a reader that never ends keeps it from being written back, and reading gets slower"
    case .statistics:
      "ANALYZE ran before they had rows, so that queries over them are planned by guesswork beside the others"
    case .freePages: "deleted rows leave their pages in the file"
    }
  }

  /// The remedy, in a sentence.
  package var remedy: String {
    switch self {
    case .damage: "restore a backup; or `REINDEX` where only indexes are wrong, else `.recover` in the sqlite3 shell"
    case .brokenRows: "fix the rows, or change the rule"
    case .orphans: "delete them, or add their parents"
    case .unexamined: "examine the file with the program that made it"
    case .fullText: "`INSERT INTO search (search) VALUES ('rebuild')`, and triggers that keep it up to date"
    case .otherRules: "leave it to the version that made it; `REINDEX` where no program has that version any more"
    case .lostTables: "make the tables anew with the statements that `doctor` prints"
    case .leftover: "look what it holds, and drop it"
    case .history: "use a newer SchemaKit, or restore a backup"
    case .keptRows: "`history --discard-kept` when no undo is needed any more"
    case .otherSchema: "look with `check` at what differs, and `apply`, from which the history goes on"
    case .lostHistory: "restore a copy that has it, or `apply`, which begins a new history"
    case .expanded: "`apply --contract` when no older program uses the file"
    case .onlineCopy, .journal: "nothing"
    case .longWAL: "end the reader, and `PRAGMA wal_checkpoint(TRUNCATE)`"
    case .statistics: "`ANALYZE`, or `PRAGMA optimize`"
    case .freePages: "`VACUUM`"
    }
  }

  package var page: String {
    switch self {
    case .damage: "https://sqlite.org/howtocorrupt.html"
    case .brokenRows, .unexamined: "https://sqlite.org/pragma.html#pragma_integrity_check"
    case .orphans: "https://sqlite.org/pragma.html#pragma_foreign_key_check"
    case .otherRules: "https://sqlite.org/expridx.html"
    case .lostTables: "https://sqlite.org/vtab.html#xshadowname"
    case .fullText: "https://sqlite.org/fts5.html#the_integrity_check_command"
    case .leftover, .history, .keptRows, .otherSchema, .lostHistory, .expanded, .onlineCopy:
      "https://sqlite.org/lang_altertable.html#otheralter"
    case .journal: "https://sqlite.org/lockingv3.html#hot_journals"
    case .longWAL: "https://sqlite.org/wal.html#avoiding_excessively_large_wal_files"
    case .statistics: "https://sqlite.org/lang_analyze.html"
    case .freePages: "https://sqlite.org/lang_vacuum.html"
    }
  }
}

extension Finding {
  /// Something that `doctor` finds; without a table it concerns the file.
  package init(_ code: DoctorCode, table: SQLName? = nil, message: String, fix: String, sql: [String] = []) {
    self.init(
      code: code.rawValue, severity: code.severity, title: code.title, kind: table == nil ? .file : .table,
      table: table,
      message: message, fix: fix, fixSQL: sql, page: code.page)
  }
}
