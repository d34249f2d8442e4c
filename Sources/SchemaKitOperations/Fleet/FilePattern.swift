import SchemaKitFoundation

/// A path with wildcards, as a shell has them: `*`, `?` and `[…]` within a name, and `**` for any number of folders.
struct FilePattern {
  private let root: String
  private let parts: [String]

  init(_ text: String) {
    root = text.hasPrefix("/") ? "/" : ""
    parts = text.split(separator: "/").map(String.init)
  }

  /// True if a path has wildcards.
  static func isPattern(_ text: String) -> Bool { text.contains { "*?[".contains($0) } }

  /// The paths that match, in the order of their names.
  ///
  /// - Parameter folders: Receives the folders that were read.
  func matches(_ folders: inout Set<String>) throws(FleetError) -> [String] {
    var paths: [String] = []
    try match(root, parts[...], &paths, &folders)
    return paths
  }

  private func match(
    _ base: String, _ parts: ArraySlice<String>, _ paths: inout [String], _ folders: inout Set<String>
  ) throws(FleetError) {
    guard let part = parts.first else {
      paths.append(base)
      return
    }
    let rest = parts.dropFirst()
    func path(_ name: String) -> String { base.isEmpty || base.hasSuffix("/") ? base + name : "\(base)/\(name)" }
    guard Self.isPattern(part) else {
      var status = stat()
      if lstat(path(part), &status) == 0 { try match(path(part), rest, &paths, &folders) }
      return
    }
    let folder = base.isEmpty ? "." : base
    guard FileManager.default.folderExists(atPath: folder) else { return }
    folders.insert(folder)
    if part == "**" { try match(base, rest, &paths, &folders) }
    for name in try Self.names(in: folder) {
      if part == "**" {
        // A link is not followed here: it could lead back.
        if !name.hasPrefix("."), Self.isRealFolder(path(name)) { try match(path(name), parts, &paths, &folders) }
      } else if fnmatch(part, name, FNM_PERIOD) == 0 {
        try match(path(name), rest, &paths, &folders)
      }
    }
  }

  private static func isRealFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The names in a folder, in order.
  static func names(in folder: String) throws(FleetError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      throw FleetError(reason: .unreadableFolder(folder))
    }
  }
}
