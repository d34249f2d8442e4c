/// The columns that models store otherwise than their types say, by their tables.
///
/// A Codable type without a model knows nothing of them, so that it would write and read other values than the model.
struct CodedColumns {
  /// Such a column.
  struct Column {
    let model: String
    let coding: String
    /// The type that the coding is for.
    let type: ObjectIdentifier
  }

  private var tables: [SQLName: [SQLName: Column]] = [:]

  init(of models: [any Model.Type]) {
    for model in models {
      let table = TableDeclaration(model)
      for column in table.columns {
        guard let coding = column.coding?.name else { continue }
        tables[SQLName(table.name), default: [:]][SQLName(column.name)] = Column(
          model: table.model, coding: coding, type: column.swiftType)
      }
    }
  }

  var isEmpty: Bool { tables.isEmpty }

  /// The column of a table, if values of a type are stored there by its coding.
  func error(for type: Any.Type, table: String, column: String) -> RecordError? {
    guard let coded = tables[SQLName(table)]?[SQLName(column)], coded.type == ObjectIdentifier(type) else { return nil }
    return RecordError(
      .codedColumn(table: table, column: column, model: coded.model, coding: coded.coding, type: "\(type)"))
  }
}
