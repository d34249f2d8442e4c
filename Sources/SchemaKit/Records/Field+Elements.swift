extension Field {
  /// The array, a column of JSON text, has an element: `$0.tags.contains("home")`.
  ///
  /// The element is encoded as in the column, and compared by SQLite: texts and numbers by their meaning, but a number of
  /// more than 15 digits, an object or an array only as `save` writes it. A row without an array does not match. It is
  /// an error for bytes, and for a column with a coding.
  ///
  /// *Cost:* the JSON of every row is parsed. SQLite has no index over the elements of JSON; where rows are many, keep the
  /// elements in a table of their own, with an index. See [json_each](https://sqlite.org/json1.html#jeach).
  public func contains<Element: Codable>(_ element: Element) -> Filter where Value.Unwrapped == [Element] {
    elementCondition(element)
  }

  /// The set, a column of JSON text, has an element, as with an array.
  public func contains<Element: Codable>(_ element: Element) -> Filter where Value.Unwrapped == Set<Element> {
    elementCondition(element)
  }

  private func elementCondition(_ element: some Encodable) -> Filter {
    do {
      let list = try JSONText.encode([element])
      let json = String(list.dropFirst().dropLast())
      var condition =
        SQL(raw: "(EXISTS (SELECT 1 FROM json_each(") + elementsTerm
        + SQL(
          raw: ") AS _s, json_each(?) AS _e WHERE _s.value IS _e.value AND (_s.type = _e.type"
            + " OR _s.type IN ('integer', 'real') AND _e.type IN ('integer', 'real')))", stored: [.text(list)])
      let isText = json.utf8.first == UInt8(ascii: "\"")
      let digits = json.utf8.filter { (48...57).contains($0) }.count
      if isText ? json.contains(Self.escapedNUL) : digits > 15 {
        // SQLite ends a text at its first NUL, and may round a number.
        condition += SQL(raw: " AND instr(") + elementsTerm + SQL(raw: ", ?) > 0", stored: [.text(json)])
      } else if isText {
        condition += SQL(raw: " AND (instr(") + elementsTerm
        condition += SQL(raw: ", ?) = 0 OR instr(", stored: [.text(Self.escapedNUL)]) + elementsTerm
        condition += SQL(raw: ", ?) > 0)", stored: [.text(json)])
      }
      return Filter(condition + SQL(raw: ")"))
    } catch {
      return Filter(SQL(unstorable: error))
    }
  }

  private static var escapedNUL: String { "\\u0000" }
}
