import SchemaKit

/// The report of `doctor` on a file.
package struct DoctorReport: Sendable {
  package var database: String
  package var examination: Examination

  package init(database: String, examination: Examination) {
    self.database = database
    self.examination = examination
  }

  /// True if the file is damaged.
  package var isDamaged: Bool {
    examination.findings.contains { $0.severity == .error && DoctorCode(rawValue: $0.code) != nil }
  }

  /// True if there is any finding that is more than a note.
  package var hasWarnings: Bool { examination.findings.contains { $0.severity != .note } }
}

extension DoctorReport {
  /// The report for people.
  package func text(style: Style = .plain, isVerbose: Bool = false) -> String {
    let findings = examination.findings
    var lines = [style.bold(database) + ": " + fileWords]
    if let contents = contentsWords { lines.append("  " + contents) }
    lines.append("  " + engineWords(isVerbose: isVerbose))
    if !findings.isEmpty { lines += ["", findings.text(style: style, isVerbose: isVerbose)] }
    let check = examination.isQuick ? "quick_check" : "integrity_check"
    let last =
      hasWarnings ? "\(database): \(findings.countedInWords)" : style.green("healthy:") + " \(database), by \(check)"
    return (lines + ["", last]).joined(separator: "\n") + "\n"
  }

  private var fileWords: String {
    let file = examination.file
    var words = [
      Wording.bytes(file.pageCount * file.pageSize),
      "\(Wording.counted(file.pageCount, "page")) of \(Wording.bytes(file.pageSize))"
        + (file.freePageCount > 0 ? ", \(Wording.number(file.freePageCount)) of them free" : ""), file.encoding,
      "journal mode \(file.journalMode)",
    ]
    if let bytes = file.walBytes { words.append("write-ahead log \(Wording.bytes(bytes))") }
    if file.applicationID != 0 { words.append("application_id \(file.applicationID)") }
    if file.userVersion != 0 { words.append("user_version \(file.userVersion)") }
    if let writer = file.lastWriter { words.append("last written by SQLite \(writer)") }
    return words.joined(separator: ", ")
  }

  private var hasHistory: Bool { examination.findings.contains { $0.code == DoctorCode.history.rawValue } }

  private var contentsWords: String? {
    guard let contents = examination.contents else { return nil }
    let counts: [(Int, String)] = [
      (contents.tables, "table"), (contents.virtualTables, "virtual table"), (contents.indexes, "index"),
      (contents.views, "view"), (contents.triggers, "trigger"),
    ]
    var words = counts.filter { $0.0 > 0 }.map { Wording.counted($0.0, $0.1) }
    if words.isEmpty { words.append("no objects") }
    let history = examination.historyEntries.map {
      "history with \($0 == 1 ? "1 entry" : "\(Wording.number($0)) entries")"
    }
    return words.joined(separator: ", ") + "; "
      + (history ?? (hasHistory ? "a history that cannot be read" : "no history of SchemaKit's"))
  }

  private func engineWords(isVerbose: Bool) -> String {
    let engine = examination.engine
    var abilities = ["renames"]
    if engine.canDropColumns { abilities.append("drops columns") }
    if engine.canAlterConstraints { abilities.append("changes NOT NULL and CHECK") }
    let words = [
      "SQLite \(engine.version)" + (isVerbose ? " (\(engine.sourceID))" : "")
        + ": ALTER TABLE \(Wording.list(abilities))",
      engine.canEditCatalog ? "the catalog can be edited" : "the catalog is protected",
      engine.hasStrictTables ? "STRICT tables" : "no STRICT tables",
    ]
    return words.joined(separator: ", ")
  }

  /// The report for programs.
  package func json() -> String {
    struct FilePart: Encodable {
      var bytes: Int
      var pageSize: Int
      var pages: Int
      var freePages: Int
      var encoding: String
      var journalMode: String
      var applicationID: Int
      var userVersion: Int
      var lastWriter: String?
      var walBytes, journalBytes: Int?
    }
    struct ContentsPart: Encodable {
      var tables: Int
      var virtualTables: Int
      var indexes: Int
      var views: Int
      var triggers: Int
    }
    struct EnginePart: Encodable {
      var version: String
      var sourceID: String
      var dropsColumns: Bool
      var altersConstraints: Bool
      var editsCatalog: Bool
      var strictTables: Bool
    }
    struct Document: Encodable {
      var formatVersion = JSONDocument.formatVersion
      var database: String
      var status: String
      var check: String
      var file: FilePart
      var contents: ContentsPart?
      var historyEntries: Int?
      var engine: EnginePart
      var findings: [FindingDocument]
    }
    let (file, engine) = (examination.file, examination.engine)
    return JSONDocument.of(
      Document(
        database: database, status: isDamaged ? "damaged" : hasWarnings ? "findings" : "healthy",
        check: examination.isQuick ? "quick_check" : "integrity_check",
        file: FilePart(
          bytes: file.pageCount * file.pageSize, pageSize: file.pageSize, pages: file.pageCount,
          freePages: file.freePageCount, encoding: file.encoding, journalMode: file.journalMode,
          applicationID: file.applicationID, userVersion: file.userVersion,
          lastWriter: file.lastWriter?.description, walBytes: file.walBytes, journalBytes: file.journalBytes),
        contents: examination.contents.map {
          ContentsPart(
            tables: $0.tables, virtualTables: $0.virtualTables, indexes: $0.indexes, views: $0.views,
            triggers: $0.triggers)
        },
        historyEntries: examination.historyEntries,
        engine: EnginePart(
          version: engine.version, sourceID: engine.sourceID, dropsColumns: engine.canDropColumns,
          altersConstraints: engine.canAlterConstraints, editsCatalog: engine.canEditCatalog,
          strictTables: engine.hasStrictTables),
        findings: examination.findings.map { FindingDocument($0) }))
  }
}
