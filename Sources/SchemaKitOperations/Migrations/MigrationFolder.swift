package import SchemaKitFoundation

/// A folder of recorded migrations: steps ordered by name, their checksums, and the schema they lead to.
package struct MigrationFolder: Sendable {
  /// The name of the file that holds the schema after the last step, as `inspect --format json` writes it.
  package static let snapshotName = "snapshot.json"

  package var path: String
  package var steps: [Migration]
  /// The recorded checksums of the steps; nil if there are none.
  package var checksums: MigrationChecksums?
  /// The stored snapshot; nil if there is none.
  package var snapshot: Data?

  /// An empty folder, for the first step.
  package init(path: String) {
    self.path = path
    steps = []
  }

  /// Reads a folder.
  ///
  /// - Parameter ignoringChecksums: True if the checksums are not read, and the snapshot not checked, because both are
  ///   about to be rewritten.
  /// - Throws: `SchemaError` if the folder, or a file in it, cannot be read.
  package init(reading path: String, ignoringChecksums: Bool = false) throws(SchemaError) {
    self.path = path
    steps = []
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      throw SchemaError(
        source: path,
        problem: FileManager.default.fileExists(atPath: path)
          ? "the folder cannot be read; check its permissions"
          : "there is no such folder; schemactl migrations new makes it with the first step")
    }
    let files = Set(names.filter { $0.hasSuffix(".sql") })
    var used: Set<String> = []
    for file in files.sorted() where !Self.isDataFile(file) {
      let name = String(file.dropLast(".sql".count))
      let (before, after) = (name + Migration.beforeSuffix, name + Migration.afterSuffix)
      used.formUnion([file, before, after])
      steps.append(
        try Migration(
          name: name, path: "\(path)/\(file)", sql: try Self.text("\(path)/\(file)"),
          before: files.contains(before) ? try Self.text("\(path)/\(before)") : nil,
          after: files.contains(after) ? try Self.text("\(path)/\(after)") : nil))
    }
    if let orphan = files.subtracting(used).min() {
      throw SchemaError(
        source: "\(path)/\(orphan)",
        problem: "belongs to no step: there is no \(Self.stepFile(ofData: orphan)) beside it")
    }
    if names.contains(MigrationChecksums.fileName), !ignoringChecksums {
      let file = "\(path)/\(MigrationChecksums.fileName)"
      checksums = try MigrationChecksums(text: try Self.text(file), source: file)
    }
    snapshot = FileManager.default.contents(atPath: "\(path)/\(Self.snapshotName)")
    if let snapshot, !ignoringChecksums {
      try MergeConflict.check(snapshot, source: "\(path)/\(Self.snapshotName)")
    }
  }

  private static func isDataFile(_ file: String) -> Bool {
    file.hasSuffix(Migration.beforeSuffix) || file.hasSuffix(Migration.afterSuffix)
  }

  private static func stepFile(ofData file: String) -> String {
    let suffix = file.hasSuffix(Migration.beforeSuffix) ? Migration.beforeSuffix : Migration.afterSuffix
    return file.dropLast(suffix.count) + ".sql"
  }

  private static func text(_ path: String) throws(SchemaError) -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw SchemaError(source: path, problem: "cannot be read; check its permissions")
    }
    return try SourceText.read(data, source: path, mayConflict: path.hasSuffix(MigrationChecksums.fileName))
  }
}

// MARK: - Verifying

extension MigrationFolder {
  /// True if its steps were recorded; other folders are plain SQL in the order of their files.
  package var isRecorded: Bool { checksums != nil }

  /// The path of the checksum file.
  package var checksumPath: String { "\(path)/\(MigrationChecksums.fileName)" }

  /// The problems with the files, apart from the statements, which `MigrationReplay` checks.
  package var problems: [FolderProblem] {
    guard let checksums else {
      return [FolderProblem(.noChecksums(file: MigrationChecksums.fileName), file: path)]
    }
    return problems(against: checksums) + numberProblems + replacementProblems
  }

  /// The steps that match the folder's checksums, even if those before them do not.
  package var sealedNames: Set<String> {
    guard let text = try? Self.text(checksumPath),
      let recorded = try? MigrationChecksums(text: text, source: checksumPath)
    else { return [] }
    let lines = recorded.lines
    let sealed = lines.indices.filter { index in
      guard let step = steps.first(where: { $0.name == lines[index].name }) else { return false }
      return MigrationChecksums.sum(of: step, after: index == 0 ? "" : lines[index - 1].sum) == lines[index].sum
    }
    return Set(sealed.map { lines[$0].name })
  }

  private func problems(against checksums: MigrationChecksums) -> [FolderProblem] {
    let names = steps.map(\.name)
    let recorded = checksums.lines.map(\.name)
    var problems: [FolderProblem] = []
    for name in recorded where !names.contains(name) {
      problems.append(FolderProblem(.missingStep, file: "\(path)/\(name).sql"))
    }
    for step in steps where !recorded.contains(step.name) {
      problems.append(FolderProblem(.unrecordedStep, file: step.path))
    }
    guard problems.isEmpty else { return problems }
    guard recorded == names else { return [FolderProblem(.otherOrder, file: checksumPath)] }
    let actual = MigrationChecksums(of: steps)
    // Each sum covers those before it: only the first that differs identifies the step.
    guard let index = steps.indices.first(where: { checksums.lines[$0].sum != actual.lines[$0].sum }) else { return [] }
    let step = steps[index]
    let previous = index == 0 ? "" : checksums.lines[index - 1].sum
    if let added = step.dataFiles(addedTo: checksums.lines[index].sum, after: previous).first {
      return [FolderProblem(.addedDataFile, file: added)]
    }
    return [FolderProblem(.changedStep, file: step.path)]
  }

  /// Steps that share a number.
  package var numberProblems: [FolderProblem] {
    Dictionary(grouping: steps.filter { $0.number != nil }) { $0.number ?? 0 }.values.filter { $0.count > 1 }
      .map { same in FolderProblem(.sameNumber(as: same[0].name), file: same[1].path) }.sorted { $0.file < $1.file }
  }

  private var replacementProblems: [FolderProblem] {
    let names = Set(steps.map(\.name))
    return steps.flatMap { step in
      step.directives.replaces.filter(names.contains).map { name in
        FolderProblem(.replacedStepRemains(name), file: step.path)
      }
    }
  }
}

// MARK: - Writing

extension MigrationFolder {
  /// The number of the next step.
  package var nextNumber: Int { (steps.compactMap(\.number).max() ?? 0) + 1 }

  /// Writes steps with their checksums and the resulting snapshot, and removes others.
  ///
  /// New files are written first and the checksums last, so that an interruption is detected by `problems`.
  package mutating func store(
    _ written: [Migration], removing removed: [Migration] = [], snapshot: String
  ) throws {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw SchemaError(source: path, problem: "the folder cannot be made; check the permissions of the one it is in")
    }
    for step in written {
      for file in step.files { try write(file.text, to: String(step.path.dropLast(".sql".count)) + file.suffix) }
    }
    let kept = Set(written.map(\.name))
    for step in removed where !kept.contains(step.name) {
      for file in step.files {
        try FileManager.default.removeItem(atPath: String(step.path.dropLast(".sql".count)) + file.suffix)
      }
    }
    let gone = Set(removed.map(\.name)).union(kept)
    steps = (steps.filter { !gone.contains($0.name) } + written).sorted { $0.name < $1.name }
    try seal(snapshot: snapshot)
  }

  /// Writes the checksums of the current steps, and the snapshot.
  package mutating func seal(snapshot: String) throws {
    let sums = MigrationChecksums(of: steps)
    try write(snapshot, to: "\(path)/\(Self.snapshotName)")
    try write(sums.text, to: checksumPath)
    checksums = sums
    self.snapshot = Data(snapshot.utf8)
  }

  private func write(_ text: String, to file: String) throws {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
    } catch {
      throw SchemaError(
        source: file, problem: "cannot be written; check the permissions of the folder, and the room on the disk")
    }
  }
}

extension Migration {
  /// The data files that were added since the step was given a checksum after those of the steps before it.
  fileprivate func dataFiles(addedTo sum: String, after previous: String) -> [String] {
    for (hasBefore, hasAfter) in [(true, false), (false, true), (false, false)] {
      var former = self
      if !hasBefore { former.before = nil }
      if !hasAfter { former.after = nil }
      guard former != self, MigrationChecksums.sum(of: former, after: previous) == sum else { continue }
      return (before == former.before ? [] : [dataPath(isBefore: true)])
        + (after == former.after ? [] : [dataPath(isBefore: false)])
    }
    return []
  }
}
