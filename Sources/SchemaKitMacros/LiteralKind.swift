#if Macros
  import SwiftSyntax

  /// What a literal is, for saying that a default does not suit the type of its property. The compiler says it too, but
  /// without the name of the property.
  enum LiteralKind: String {
    case string = "a string"
    case integer = "a whole number"
    case real = "a number with a fraction"
    case bool = "true or false"
    case nothing = "nil"

    init?(_ expression: ExprSyntax) {
      let negated = expression.as(PrefixOperatorExprSyntax.self)
      let literal = negated?.operator.text == "-" ? negated?.expression ?? expression : expression
      switch literal.kind {
      case .stringLiteralExpr: self = .string
      case .integerLiteralExpr: self = .integer
      case .floatLiteralExpr: self = .real
      case .booleanLiteralExpr: self = .bool
      case .nilLiteralExpr: self = .nothing
      default: return nil
      }
    }

    private static let integers: Set = [
      "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    ]

    /// Whether a literal of this kind can be a value of a type; true for types that are not known here.
    func suits(_ type: String) -> Bool {
      let isOptional = type.hasSuffix("?")
      let plain = isOptional ? String(type.dropLast()) : type
      if self == .nothing { return isOptional || !Self.isKnown(plain) }
      if Self.integers.contains(plain) { return self == .integer }
      switch plain {
      case "Double", "Float", "Decimal": return self == .integer || self == .real
      case "Bool": return self == .bool
      case "String": return self == .string
      default: return true
      }
    }

    private static func isKnown(_ type: String) -> Bool {
      integers.contains(type) || ["Double", "Float", "Decimal", "Bool", "String"].contains(type)
    }
  }
#endif
