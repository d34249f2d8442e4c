#if Macros
  import SwiftSyntax

  /// A stored property of a model, with the attributes that describe its column.
  struct StoredProperty {
    /// The name as written, with its backticks if it has some.
    let name: TokenSyntax
    let type: TypeSyntax
    let initialValue: ExprSyntax?
    let isConstant: Bool
    let attributes: [AttributeSyntax]

    /// The name of the property without backticks.
    var label: String { name.text.withoutBackticks }

    /// True if the name stands in backticks for more than being a keyword, as in `two words`.
    private var isRaw: Bool {
      guard name.text != label else { return false }
      return label.first?.isNumber == true || !label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    /// The name as the label of an argument, where only one keyword needs backticks.
    var argumentLabel: String { isRaw || label == "inout" ? name.text : label }

    /// The name of a variable of the code that is written.
    func variable(_ prefix: String) -> String { isRaw ? "`\(prefix)\(label)`" : prefix + label }

    /// The name of the column, as a literal.
    var columnName: String {
      first("Column")?.argument(nil)?.description ?? "\"\(label.replacing("\"", with: "\\\""))\""
    }

    /// The type, in which `Int!` is written `Int?`.
    var typeText: String {
      if let implicit = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
        return "\(implicit.wrappedType.trimmedDescription)?"
      }
      return type.trimmedDescription
    }

    var isOptional: Bool { type.wrappedInOptional != nil }

    /// The type, without the optional around it.
    var wrappedTypeText: String { type.wrappedInOptional?.trimmedDescription ?? typeText }

    func has(_ attribute: String) -> Bool { attributes.contains { $0.shortName == attribute } }

    func first(_ attribute: String) -> AttributeSyntax? { attributes.first { $0.shortName == attribute } }

    var isTransient: Bool { has("Transient") }
    var isEmbedded: Bool { has("Embedded") }

    /// The protocol that the type must conform to, and that type. A fragment is one inside an optional.
    var requirement: (name: String, type: String) {
      isEmbedded ? ("Fragment", wrappedTypeText) : ("ColumnValue", typeText)
    }
  }

  extension StoredProperty {
    /// The expression that declares the column: `Column<Note, String>("title", \Note.title).unique()`.
    func column(of model: String, defaultName: String) -> String {
      let path = "\\\(model).\(name.text)"
      let start = "SchemaKit.Column<\(model), \(typeText)>"
      if let embedded = first("Embedded") {
        let prefix = embedded.argument("prefix").map { ", prefix: \($0)" } ?? ""
        return "\(start)(embedding: \(path)\(prefix))"
      }
      let attribute = first("Column")
      let coding = attribute?.argument("storing").map { ", storing: \($0)" } ?? ""
      let exactType = attribute?.argument("type").map { ".type(\($0))" } ?? ""
      return "\(start)(\(columnName), \(path)\(coding))" + exactType
        + attributes.map { modifier($0, defaultName) }.joined()
    }

    /// The call that an attribute stands for.
    private func modifier(_ attribute: AttributeSyntax, _ defaultName: String) -> String {
      if let method = Modifier.ofColumns[attribute.shortName] { return ".\(method)(\(attribute.argumentText))" }
      guard attribute.shortName == "Default" else { return "" }
      if attribute.argument("sql") != nil { return ".default(\(attribute.argumentText))" }
      return ".default(\(defaultName))"
    }

    /// The declaration of the column's default as a value of the property's type, so that a value of another type is
    /// reported as such.
    func defaultDeclaration(named name: String) -> String? {
      guard let attribute = first("Default"), attribute.argument("sql") == nil,
        let value = attribute.argument(nil) ?? initialValue
      else { return nil }
      return "let \(name): \(typeText) = \(value.trimmedDescription)"
    }
  }

  extension String {
    /// The name without the backticks around it.
    var withoutBackticks: String {
      count > 2 && hasPrefix("`") && hasSuffix("`") ? String(dropFirst().dropLast()) : self
    }
  }
#endif
