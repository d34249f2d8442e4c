extension CreateStatement {
  /// The object's name.
  package var name: SQLName {
    switch self {
    case .table(let statement): statement.name
    case .index(let statement): statement.name
    case .view(let statement): statement.name
    case .trigger(let statement): statement.name
    case .virtualTable(let statement): statement.name
    }
  }

  /// The table that the object is or belongs to.
  package var table: SQLName {
    switch self {
    case .index(let statement): statement.table
    case .trigger(let statement): statement.table
    case .table, .view, .virtualTable: name
    }
  }

  /// True if the object is an ordinary table.
  package var isTable: Bool { if case .table = self { true } else { false } }

  /// True if the object is a trigger.
  package var isTrigger: Bool { if case .trigger = self { true } else { false } }

  /// True if the object goes with its connection.
  package var isTemporary: Bool {
    switch self {
    case .table(let statement): statement.isTemporary
    case .view(let statement): statement.isTemporary
    case .trigger(let statement): statement.isTemporary
    case .index, .virtualTable: false
    }
  }
}
