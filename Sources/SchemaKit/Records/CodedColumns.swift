import SchemaKitFoundation

/// The columns that models store otherwise than their types say, by their tables.
///
/// A Codable type without a model knows nothing of them, so that it would write and read other values than the model.
struct CodedColumns {
  /// A column with a coding of its own.
  struct Column {
    let model: String
    let coding: String
    let columnType: String
    /// The type that the coding is for.
    let type: ObjectIdentifier

    /// The type, without an optional around it, if its values have another form here than without the model.
    func codedType(_ type: Any.Type) -> (any ColumnValue.Type)? {
      guard let type = (type as? any ColumnValue.Type)?.unwrappedType, ObjectIdentifier(type) == self.type else {
        return nil
      }
      // The stored texts and numbers are of these types themselves.
      switch type {
      case is String.Type, is Double.Type, is Bool.Type, is Data.Type, is any FixedWidthInteger.Type:
        return type.columnType.name == columnType ? nil : type
      default: return type
      }
    }
  }

  private var tables: [SQLName: [SQLName: Column]] = [:]

  init(of models: [any Model.Type]) {
    for model in models {
      let table = TableDeclaration(model)
      for column in table.columns {
        guard let coding = column.coding?.name else { continue }
        tables[SQLName(table.name), default: [:]][SQLName(column.name)] = Column(
          model: table.model, coding: coding, columnType: column.coding?.columnType.name ?? "", type: column.swiftType)
      }
    }
  }

  var isEmpty: Bool { tables.isEmpty }

  /// The columns of a table, by their names.
  subscript(table: String) -> [SQLName: Column] { tables[SQLName(table)] ?? [:] }
}

extension CodedColumns.Column {
  /// Throws for a type whose values have another form here.
  func check(_ type: Any.Type, table: String, column: String) throws {
    guard let type = codedType(type) else { return }
    throw RecordError(.codedColumn(table: table, column: column, model: model, coding: coding, type: "\(type)"))
  }
}

extension ColumnValue {
  /// The type, without an optional around it.
  fileprivate static var unwrappedType: any ColumnValue.Type { Unwrapped.self }
}
