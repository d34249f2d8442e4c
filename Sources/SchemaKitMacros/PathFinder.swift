#if Macros
  import SwiftSyntax

  /// Finds the key paths of a model in its constraints and indexes, with the property that each begins with.
  final class PathFinder: SyntaxVisitor {
    private let root: String
    private(set) var found: [(path: KeyPathExprSyntax, property: String)] = []

    init(root: String) {
      self.root = root
      super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ call: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
      walk(call.calledExpression)
      for argument in call.arguments {
        // After this label stand properties of another model, to which a foreign key refers.
        if argument.label?.text == "columns" { break }
        walk(argument.expression)
      }
      return .skipChildren
    }

    override func visit(_ path: KeyPathExprSyntax) -> SyntaxVisitorContinueKind {
      guard path.root == nil || path.root?.trimmedDescription == root,
        case .property(let property)? = path.components.first?.component
      else { return .skipChildren }
      found.append((path, property.declName.baseName.text))
      return .skipChildren
    }
  }
#endif
