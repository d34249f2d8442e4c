/// A declared schema that cannot be parsed, or that SQLite itself rejects.
public struct SchemaError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file or other place the schema was read from.
  public let source: String
  /// The line of the faulty statement, from 1; nil if there is none.
  public let line: Int?
  /// The column of the error, from 1; nil if unknown.
  public let column: Int?
  /// A description of the problem.
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
