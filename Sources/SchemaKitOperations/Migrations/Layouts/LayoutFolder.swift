import SchemaKitFoundation

/// A folder of another tool's migrations.
struct LayoutFolder {
  let path: String
  /// The names of the entries directly in the folder, sorted.
  let names: [String]

  init(path: String) throws(SchemaError) {
    self.path = path
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      throw SchemaError(source: path, problem: "the folder cannot be read; check its permissions")
    }
    self.names = names.sorted()
  }

  /// True if SchemaKit recorded the migrations.
  var isRecorded: Bool { names.contains(MigrationChecksums.fileName) }

  /// The `.sql` files directly in the folder.
  var scripts: [String] { names.filter { $0.hasSuffix(".sql") && !isFolder($0) } }

  func isFolder(_ name: String) -> Bool { FileManager.default.folderExists(atPath: self.path(of: name)) }

  func path(of file: String) -> String { path.hasSuffix("/") ? path + file : "\(path)/\(file)" }

  /// All files of the folder and of those in it, with their paths from here.
  func filesAtAnyDepth() throws(SchemaError) -> [String] {
    guard let paths = try? FileManager.default.subpathsOfDirectory(atPath: path) else {
      throw SchemaError(source: path, problem: "a folder in it cannot be read; check its permissions")
    }
    return paths.filter { !isFolder($0) }.sorted()
  }

  /// The text of a file.
  ///
  /// - Throws: `SchemaError` if it is not UTF-8, or holds the marks of a merge.
  func text(_ file: String) throws(SchemaError) -> String {
    let source = self.path(of: file)
    guard let data = FileManager.default.contents(atPath: source) else {
      throw SchemaError(source: source, problem: "is missing, or cannot be read")
    }
    return try SourceText.read(data, source: source)
  }

  /// Sorts files by their versions.
  ///
  /// - Throws: `SchemaError` if two have the same.
  func inVersionOrder(_ files: [(version: LayoutVersion, name: String)]) throws(SchemaError) -> [String] {
    let files = files.sorted { ($0.version, $0.name) < ($1.version, $1.name) }
    for (file, next) in zip(files, files.dropFirst()) where file.version == next.version {
      throw SchemaError(
        source: path(of: next.name), problem: "has the version of \(file.name); every migration needs its own")
    }
    return files.map(\.name)
  }

  /// The error for a file that the tool would not run.
  func stray(_ file: String, of layout: MigrationLayout, expected: String) -> SchemaError {
    SchemaError(
      source: path(of: file),
      problem:
        "has no place in the order of \(layout.rawValue), where files are called \(expected); rename it, or move "
        + "it out of the folder")
  }
}

/// The version in the name of a file: numbers of any size, compared one by one.
struct LayoutVersion: Hashable, Comparable {
  /// The digits of each number, without leading zeros.
  private let numbers: [String]

  /// Reads numbers between separators; nil if there is anything else. Zeros at the end count for nothing.
  init?(_ text: some StringProtocol, separators: [Character] = []) {
    var numbers: [String] = []
    for part in text.split(omittingEmptySubsequences: false, whereSeparator: separators.contains) {
      guard !part.isEmpty, part.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      numbers.append(String(part.drop { $0 == "0" }))
    }
    while numbers.last?.isEmpty == true { numbers.removeLast() }
    self.numbers = numbers
  }

  static func < (left: Self, right: Self) -> Bool {
    left.numbers.lexicographicallyPrecedes(right.numbers) { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
  }
}

extension String {
  /// The lines, without the line feeds between them.
  var lineTexts: [String] {
    utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}
