/// An object that a plan changes, by kind and name.
public struct ObjectReference: Sendable, Hashable, CustomStringConvertible {
  /// The kind of an object.
  public enum Kind: String, Sendable, Hashable, Codable, CustomStringConvertible {
    case table, index, view, trigger
    /// The values or rows of a dropped column or table.
    case values
    /// Work that the program does on the rows itself.
    case dataStep = "data step"

    public var description: String { rawValue }
  }

  /// The kind of the object.
  public var kind: Kind
  /// Its name; that of the table for values.
  public var name: SQLName
  /// The column whose values are meant; nil for all of a table, and for other objects.
  public var column: SQLName?

  package init(_ kind: Kind, _ name: SQLName, column: SQLName? = nil) {
    self.kind = kind
    self.name = name
    self.column = column
  }

  /// The name as it is written in messages: `table.column` for the values of a column.
  public var description: String { column.map { "\(name).\($0)" } ?? name.text }
}

extension ObjectReference {
  /// The object as a line begins with it: a table by its name alone.
  package var label: String { kind == .table ? "\(self)" : "\(kind) \(self)" }
}
