import SchemaKitFoundation

/// The hidden folder of a rehearsal's copy, beside the database.
///
/// It is locked for as long as the rehearsal runs, so that the folder of one that was killed can be told from it. See
/// [flock](https://man7.org/linux/man-pages/man2/flock.2.html).
final class RehearsalFolder {
  let url: URL
  private let descriptor: Int32

  /// Returns the prefix of a folder's name, before eight digits.
  private static func prefix(_ name: String) -> String { ".\(name).rehearsal-" }

  /// Makes a folder that is as private as the database.
  init(in folder: String, name: String) throws {
    url = URL(fileURLWithPath: folder).appendingPathComponent(Self.prefix(name) + UUID().uuidString.prefix(8))
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    if descriptor >= 0 { _ = flock(descriptor, LOCK_EX | LOCK_NB) }
  }

  /// Removes it with the copy.
  func remove() {
    try? FileManager.default.removeItem(at: url)
    if descriptor >= 0 { close(descriptor) }
  }

  /// Removes the folders of rehearsals that were killed.
  ///
  /// - Returns: Their paths.
  static func removeAbandoned(in folder: String, name: String) -> [String] {
    let prefix = prefix(name)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().compactMap { found in
      let digits = found.dropFirst(prefix.count)
      guard found.hasPrefix(prefix), digits.count == 8, digits.allSatisfy(\.isHexDigit) else { return nil }
      let url = URL(fileURLWithPath: folder).appendingPathComponent(found)
      guard isAbandoned(url.path), (try? FileManager.default.removeItem(at: url)) != nil else { return nil }
      return url.path
    }
  }

  /// True for a folder that nobody has locked, and that was not made just now: its own rehearsal locks it at once.
  private static func isAbandoned(_ path: String) -> Bool {
    let date = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    guard let date, Date().timeIntervalSince(date) > 60 else { return false }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }
}
