import SchemaKitFoundation

/// The database files of a fleet, each once, whatever names it has.
///
/// ```swift
/// let files = try FleetFiles(at: ["tenants/*.db", "archive"])
/// print(files.files.count, files.excluded[.copy] ?? 0)
/// ```
///
/// *Cost:* reads the folders, and one `stat` for each entry; no file is opened.
public struct FleetFiles: Sendable {
  /// One file.
  public struct File: Sendable, Hashable {
    /// The path under which it was found first, or that of the name that has a journal or WAL beside it.
    public internal(set) var path: String
    /// Other paths of the fleet that lead to it.
    public internal(set) var otherPaths: [String] = []
    /// Its size in bytes when it was found.
    public let size: Int
    /// True if a list has it, so that it has to be a database.
    public let isNamed: Bool
    package let identity: FileIdentity

    /// The path from the root, by which files are known in plans and journals.
    package var absolutePath: String { FilePaths.absolute(path) }
  }

  /// The reason why something that was found is not a file of the fleet.
  public enum Exclusion: String, Sendable, Hashable, CaseIterable, Codable {
    /// SQLite keeps it beside a database: its name ends in `-wal`, `-shm` or `-journal`.
    case besideDatabase
    /// A copy of a database that was made before a change, or a part of one.
    case copy
    /// The journal of a fleet run.
    case journal
    /// A symbolic link, and links are not followed.
    case link
    /// Its name, or that of its folder, begins with a dot.
    case hidden
    /// It has no content.
    case empty
    /// It is a pipe, a socket or a device.
    case special
  }

  /// The files, in the order in which they were found.
  public private(set) var files: [File] = []
  /// The number of other things that were found, by the reason for leaving them out.
  public private(set) var excluded: [Exclusion: Int] = [:]
  /// The paths of a list that lead to nothing.
  public private(set) var missing: [String] = []
  /// The folders that were searched, and those of the paths of a list.
  package private(set) var folders: Set<String> = []

  private let followsLinks: Bool
  private var indices: [FileIdentity: Int] = [:]
  private var visited: Set<FileIdentity> = []
  /// The number of things that were found, whether they are files of the fleet or not.
  private var seen = 0

  /// Finds files.
  ///
  /// - Parameters:
  ///   - places: Files, folders, which stand for every file in them at any depth, and patterns: `*`, `?` and `[…]` within a
  ///     name, `**` for any number of folders. Hidden files and folders are left out unless a pattern names the dot.
  ///   - paths: The paths of single files, as a list has them. Paths that do not exist are in `missing`.
  ///   - followsLinks: True if symbolic links are followed that are found in folders, match a pattern or are named.
  /// - Throws: ``FleetError`` for a place where there is nothing, and for a folder that cannot be read.
  public init(at places: [String], paths: [String] = [], followsLinks: Bool = false) throws(FleetError) {
    self.followsLinks = followsLinks
    for place in places {
      let before = seen
      if FilePattern.isPattern(place), !exists(place) {
        for path in try FilePattern(place).matches(&folders) { try add(path) }
      } else if !place.isEmpty {
        try add(place, isPlace: true)
      }
      guard seen > before else { throw FleetError(reason: .noMatch(place)) }
    }
    if let first = places.first, files.isEmpty, paths.isEmpty { throw FleetError(reason: .noMatch(first)) }
    for path in paths where !path.isEmpty {
      guard exists(path) else {
        missing.append(path)
        continue
      }
      try add(path, isPlace: true, isNamed: true)
    }
  }

  private func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// The file with an identity; nil if it is not among them.
  func file(_ identity: FileIdentity) -> File? { indices[identity].map { files[$0] } }

  /// Adds what a path leads to.
  ///
  /// - Parameters:
  ///   - isPlace: True if it was named, as a folder or otherwise.
  ///   - isNamed: True if it has to be a database.
  private mutating func add(_ path: String, isPlace: Bool = false, isNamed: Bool = false) throws(FleetError) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      // It went meanwhile, or Foundation gives a name that is not UTF-8 another one.
      if !isPlace { missing.append(path) }
      return
    }
    if status.st_mode & S_IFMT == S_IFLNK {
      // A folder that is named may stand behind a link, as /var does on some systems.
      guard followsLinks || (isPlace && path.hasSuffix("/")), stat(path, &status) == 0 else {
        exclude(.link)
        return
      }
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: try addFolder(path, FileIdentity(status))
    case S_IFREG: add(file: path, status, isNamed: isNamed)
    default: exclude(.special)
    }
  }

  private mutating func addFolder(_ path: String, _ identity: FileIdentity) throws(FleetError) {
    // Links can lead in circles.
    guard visited.insert(identity).inserted else { return }
    folders.insert(path)
    for name in try FilePattern.names(in: path) {
      if name.hasPrefix(".") {
        exclude(.hidden)
      } else {
        try add(path.hasSuffix("/") ? path + name : "\(path)/\(name)")
      }
    }
  }

  private mutating func add(file path: String, _ status: stat, isNamed: Bool) {
    if let exclusion = Self.exclusion(of: path, status) {
      exclude(exclusion)
      return
    }
    seen += 1
    folders.insert(SQLiteConnection.folder(of: path))
    let identity = FileIdentity(status)
    if let index = indices[identity] {
      let known = ([files[index].path] + files[index].otherPaths).map { ExactText($0) }
      if !known.contains(ExactText(path)) {
        // SQLite finds what a program left unfinished by the name that the program used.
        let isBetter =
          SQLiteConnection.unfinished(beside: path) != nil
          && SQLiteConnection.unfinished(beside: files[index].path) == nil
        files[index].otherPaths.append(isBetter ? files[index].path : path)
        if isBetter { files[index].path = path }
      }
    } else {
      indices[identity] = files.count
      files.append(File(path: path, size: Int(status.st_size), isNamed: isNamed, identity: identity))
    }
  }

  private mutating func exclude(_ exclusion: Exclusion) {
    seen += 1
    excluded[exclusion, default: 0] += 1
  }

  private static func exclusion(of path: String, _ status: stat) -> Exclusion? {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    if ["", "-wal", "-shm"].contains(where: { name.hasSuffix(FleetJournal.suffix + $0) }) { return .journal }
    if MigrationBackup.isCopy(named: name) { return .copy }
    if ["-wal", "-shm", "-journal"].contains(where: name.hasSuffix) { return .besideDatabase }
    return status.st_size == 0 ? .empty : nil
  }
}
