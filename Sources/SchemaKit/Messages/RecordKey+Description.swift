extension RecordKey: CustomStringConvertible {
  public var description: String {
    values.map { value in
      switch value {
      case .null: "NULL"
      case .integer(let number): "\(number)"
      case .real(let number): "\(number)"
      case .text(let text): SQLQuoting.literal(text)
      case .blob(let bytes): "BLOB of \(bytes.count) bytes"
      }
    }.joined(separator: ", ")
  }
}
