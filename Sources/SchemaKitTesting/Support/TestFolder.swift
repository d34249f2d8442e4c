import SchemaKitFoundation

/// A folder of its own, removed when nobody uses it any more.
final class TestFolder: Sendable {
  /// The path, without symbolic links: SQLite resolves them too.
  let path: String

  init() throws {
    let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    let folder = base.appendingPathComponent("schemakit-testing-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path =
      realpath(folder.path, nil).map { resolved in
        defer { free(resolved) }
        return String(cString: resolved)
      } ?? folder.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func path(of file: String) -> String { path + "/" + file }

  /// The files, but for the WAL's index, which no crash leaves and every recovery makes anew.
  func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path) where !name.hasSuffix("-shm") {
      files[name] = try Data(contentsOf: URL(fileURLWithPath: path(of: name)))
    }
    return files
  }

  /// Makes the folder hold these files and no others.
  func replaceFiles(with files: [String: Data]) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      try FileManager.default.removeItem(atPath: path(of: name))
    }
    for (name, bytes) in files { try bytes.write(to: URL(fileURLWithPath: path(of: name))) }
  }
}
