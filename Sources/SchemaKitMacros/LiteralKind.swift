#if Macros
  import SwiftSyntax

  /// The kind of a literal, for saying that a default does not suit the type of its property. The compiler says it too, but
  /// without the name of the property.
  enum LiteralKind: String {
    case string = "a string"
    case integer = "a whole number"
    case real = "a number with a fraction"
    case bool = "true or false"
    case nothing = "nil"
    case array = "a list"
    case dictionary = "a dictionary"

    init?(_ expression: ExprSyntax) {
      let negated = expression.as(PrefixOperatorExprSyntax.self)
      let literal = negated?.operator.text == "-" ? negated?.expression ?? expression : expression
      switch literal.kind {
      case .stringLiteralExpr: self = .string
      case .integerLiteralExpr: self = .integer
      case .floatLiteralExpr: self = .real
      case .booleanLiteralExpr: self = .bool
      case .nilLiteralExpr: self = .nothing
      case .arrayExpr: self = .array
      case .dictionaryExpr: self = .dictionary
      default: return nil
      }
    }

    private static let integers: Set = [
      "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    ]

    /// The kinds that can be a value of a type; nil for types that are not known here, which may be made from any.
    private static func kinds(of type: TypeSyntax) -> Set<Self>? {
      if type.is(ArrayTypeSyntax.self) { return [.array] }
      if type.is(DictionaryTypeSyntax.self) { return [.dictionary] }
      var name = type.trimmedDescription.withoutModule
      // An array of unknown types is an array too.
      if let start = name.firstIndex(of: "<"), name.hasSuffix(">") { name = String(name[..<start]) }
      if integers.contains(name) { return [.integer] }
      switch name {
      case "Double", "Float", "Decimal": return [.integer, .real]
      case "Bool": return [.bool]
      case "String": return [.string]
      case "Date", "UUID", "Data": return []
      case "Array", "Set": return [.array]
      case "Dictionary": return [.dictionary]
      default: return nil
      }
    }

    /// Returns the kind of a literal, in words, if it can be no value of a type; nil if only the compiler knows.
    static func mismatch(_ value: ExprSyntax, for type: TypeSyntax) -> String? {
      guard let kind = LiteralKind(value) else { return nil }
      let wrapped = type.wrappedInOptional
      if kind == .nothing, wrapped != nil { return nil }
      guard let kinds = kinds(of: wrapped ?? type) else { return wrapped.flatMap { mismatch(value, for: $0) } }
      if !kinds.contains(kind) { return kind.rawValue }
      guard let element = (wrapped ?? type).element, let values = value.as(ArrayExprSyntax.self) else { return nil }
      return values.elements.lazy.compactMap { mismatch($0.expression, for: element) }.first.map { "a list with \($0)" }
    }
  }

  extension TypeSyntax {
    /// The wrapped type of an optional type, however it is written; nil for other types.
    var wrappedInOptional: TypeSyntax? {
      if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.trimmed }
      if let implicit = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return implicit.wrappedType.trimmed }
      return argument(of: ["Optional"])
    }

    /// The type of the elements of an array or a set; nil for other types.
    fileprivate var element: TypeSyntax? {
      self.as(ArrayTypeSyntax.self)?.element.trimmed ?? argument(of: ["Array", "Set"])
    }

    /// The only argument of a generic type with one of these names.
    private func argument(of names: Set<String>) -> TypeSyntax? {
      let clause =
        self.as(IdentifierTypeSyntax.self)?.genericArgumentClause
        ?? self.as(MemberTypeSyntax.self)?.genericArgumentClause
      guard let clause, clause.arguments.count == 1, let argument = clause.arguments.first?.argument.trimmed,
        let name = trimmedDescription.withoutModule.split(separator: "<").first, names.contains(String(name))
      else { return nil }
      return TypeSyntax(argument)
    }
  }
#endif
