#if Macros
  import SwiftSyntax

  /// Finds out whether a value is another one each time it is made: the time, a new identifier, or chance.
  final class ChangingValueFinder: SyntaxVisitor {
    /// The types whose initializers without arguments give such values.
    private static let types: Set = ["Date", "UUID"]

    /// The type of the whole value, which `.now` and `.init()` are members of.
    private let type: String
    /// The member without a base that the value begins with: `.now` of `.now.addingTimeInterval(5)`.
    private let start: SyntaxIdentifier?
    private(set) var isChanging = false

    init(_ value: ExprSyntax, of type: String) {
      self.type = type.withoutModule
      start = Self.start(of: value)
      super.init(viewMode: .sourceAccurate)
      walk(value)
    }

    private static func start(of value: ExprSyntax) -> SyntaxIdentifier? {
      var value = value
      while true {
        if let call = value.as(FunctionCallExprSyntax.self) {
          value = call.calledExpression
        } else if let forced = value.as(ForceUnwrapExprSyntax.self) {
          value = forced.expression
        } else if let member = value.as(MemberAccessExprSyntax.self) {
          guard let base = member.base else { return member.id }
          value = base
        } else {
          return nil
        }
      }
    }

    override func visit(_ call: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
      let labels = call.arguments.map { $0.label?.text }
      if let member = call.calledExpression.as(MemberAccessExprSyntax.self) {
        switch member.declName.baseName.text {
        // A case of an enumeration may have this name too, and values without labels.
        case "random": if labels.allSatisfy({ $0 == "in" || $0 == "using" }) { isChanging = true }
        case "randomElement", "shuffled": isChanging = true
        case "init": checkInitializer(of: base(of: member), labels)
        default: break
        }
      }
      checkInitializer(of: call.calledExpression.trimmedDescription.withoutModule, labels)
      return .visitChildren
    }

    override func visit(_ member: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
      if member.declName.baseName.text == "now", base(of: member) == "Date" { isChanging = true }
      return .visitChildren
    }

    private func checkInitializer(of type: String?, _ labels: [String?]) {
      guard let type, Self.types.contains(type) else { return }
      if labels.isEmpty || labels.contains("timeIntervalSinceNow") { isChanging = true }
    }

    /// The type that a member belongs to; nil if the text does not tell.
    private func base(of member: MemberAccessExprSyntax) -> String? {
      if let base = member.base { return base.trimmedDescription.withoutModule }
      return member.id == start ? type : nil
    }
  }

  extension String {
    /// The name of a type of the standard library or Foundation, without the module.
    var withoutModule: String {
      for module in ["Swift.", "Foundation.", "FoundationEssentials."] where hasPrefix(module) {
        return String(dropFirst(module.count))
      }
      return self
    }
  }
#endif
