extension String {
  /// A statement with its semicolon, on a line of its own where a comment would swallow it.
  var terminated: String {
    let lastLine = split(whereSeparator: \.isNewline).last ?? ""
    return lastLine.contains("--") ? self + "\n;" : self + ";"
  }
}
