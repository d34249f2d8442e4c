/// A declared schema that cannot be read, or that SQLite itself refuses.
public struct SchemaError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file or other place the schema was read from.
  public let source: String
  /// The line of the statement at fault, from 1; nil where there is none.
  public let line: Int?
  /// The column of the fault, from 1; nil where it is not known.
  public let column: Int?
  /// What is wrong.
  public let problem: String

  package init(source: String, line: Int? = nil, column: Int? = nil, problem: String) {
    self.source = source
    self.line = line
    self.column = column
    self.problem = problem
  }

  public var description: String {
    let place = [source, line.map(String.init), column.map(String.init)].compactMap { $0 }.joined(separator: ":")
    return place.isEmpty ? problem : "\(place): \(problem)"
  }
}
