import SchemaKitFoundation

/// Paths by which files are known in plans and journals.
package enum FilePaths {
  /// A path from the root; links in it are not followed.
  package static func absolute(_ path: String) -> String {
    var rest = path[...]
    while rest.hasPrefix("./") { rest = rest.dropFirst(2).drop { $0 == "/" } }
    return rest.hasPrefix("/") ? String(rest) : "\(FileManager.default.currentDirectoryPath)/\(rest)"
  }
}
