// On a column that is not stored as plain text, such as JSON, all of these are an error.

extension Field {
  /// The text is like a pattern in which `%` stands for any sequence of characters and `_` for any single one.
  ///
  /// ASCII letters match regardless of case. See [LIKE](https://sqlite.org/lang_expr.html#like).
  ///
  /// - Parameter escape: A character that makes a following `%`, `_` or itself literal.
  public func like(_ pattern: String, escape: Character? = nil) -> Filter {
    var sql = textTerm + SQL(raw: " LIKE ?", stored: [.text(pattern)])
    if let escape { sql += SQL(raw: " ESCAPE ?", stored: [.text(String(escape))]) }
    return Filter(sql)
  }

  /// The text matches a pattern with `*`, `?` and `[…]`, case-sensitively.
  ///
  /// See [GLOB](https://sqlite.org/lang_expr.html#glob).
  public func glob(_ pattern: String) -> Filter { Filter(textTerm + SQL(raw: " GLOB ?", stored: [.text(pattern)])) }

  /// The text begins with another, case-sensitively. An index on the field is used.
  public func hasPrefix(_ prefix: String) -> Filter {
    let pattern = GlobPattern.literal(prefix)
    // Patterns end at a NUL and have a maximum length: https://sqlite.org/limits.html#max_like_pattern_length
    if !prefix.utf8.contains(0), pattern.utf8.count < 10_000 { return glob(pattern + "*") }
    let bytes = SQL(raw: "CAST(? AS BLOB)", stored: [.text(prefix)])
    return Filter(
      SQL(raw: "substr(CAST(") + textTerm + SQL(raw: " AS BLOB), 1, length(") + bytes + SQL(raw: ")) = ") + bytes)
  }

  /// The text ends with another, case-sensitively.
  public func hasSuffix(_ suffix: String) -> Filter {
    if suffix.isEmpty { return Filter(textTerm + SQL(raw: " IS NOT NULL")) }
    let bytes = SQL(raw: "CAST(? AS BLOB)", stored: [.text(suffix)])
    return Filter(
      SQL(raw: "substr(CAST(") + textTerm + SQL(raw: " AS BLOB), -length(") + bytes + SQL(raw: ")) = ") + bytes)
  }

  /// The text contains another.
  ///
  /// On an array or a set, `contains` looks for an element.
  ///
  /// - Parameter match: The case rule: ASCII letters can match regardless of case.
  @_disfavoredOverload
  public func contains(_ text: String, _ match: TextMatch = .exact) -> Filter {
    if match == .ignoringCase { return like("%" + LikePattern.literal(text) + "%", escape: "\\") }
    return Filter(SQL(raw: "instr(") + textTerm + SQL(raw: ", ?) > 0", stored: [.text(text)]))
  }
}

extension Field {
  /// A value inside a column of JSON text, by its path: `$0.style.json("$.font", as: String.self)`.
  ///
  /// It is nil if the path does not exist. It is compared and read as JSON has it: a `UUID` in upper case, a `Decimal` as
  /// a number. See [json_extract](https://sqlite.org/json1.html#jex).
  public func json<Part: ColumnValue>(_ path: String, as type: Part.Type) -> Field<Part?> {
    Field<Part?>(
      SQL(raw: "json_extract(") + term + SQL(raw: ", ?)", stored: [.text(path)]), coding: JSONPart.coding(of: type))
  }
}

/// A way to compare letters.
public enum TextMatch: Sendable, Hashable {
  /// Case-sensitively.
  case exact
  /// ASCII letters regardless of case; others case-sensitively.
  case ignoringCase
}

/// Patterns of LIKE with the escape character `\`.
enum LikePattern {
  /// A pattern that matches a text and nothing else.
  static func literal(_ text: String) -> String {
    var pattern = ""
    for scalar in text.unicodeScalars {
      if "%_\\".unicodeScalars.contains(scalar) { pattern += "\\" }
      pattern.unicodeScalars.append(scalar)
    }
    return pattern
  }
}

/// Patterns of GLOB.
enum GlobPattern {
  /// A pattern that matches a text and nothing else.
  static func literal(_ text: String) -> String {
    var pattern = ""
    for scalar in text.unicodeScalars {
      if "*?[".unicodeScalars.contains(scalar) {
        pattern += "[\(scalar)]"
      } else {
        pattern.unicodeScalars.append(scalar)
      }
    }
    return pattern
  }
}
