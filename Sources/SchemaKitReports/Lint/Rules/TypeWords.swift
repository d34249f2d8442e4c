import SchemaKit

extension ColumnSchema {
  /// The words of the declared type in capitals, without anything in parentheses.
  var typeWords: [String] {
    let text = (type ?? "").prefix { $0 != "(" }
    return text.split { !($0.isLetter || $0.isNumber) }.map { $0.uppercased() }
  }
}
