#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// `@Column`, `@PrimaryKey` and the others. They write nothing themselves: ``ModelMacro`` reads them. Where it does
  /// not, they report that they have no effect.
  struct AttributeMacro: PeerMacro {
    static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
      in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      let placement = AttributePlacement(node, of: declaration, in: context.lexicalContext.first)
      if let mistake = placement.mistake { context.diagnose(Diagnostic(node: Syntax(node), message: mistake)) }
      return []
    }
  }

  extension AttributeSyntax {
    /// The name without the module in front of it.
    var shortName: String {
      attributeName.as(MemberTypeSyntax.self)?.name.text ?? attributeName.trimmedDescription
    }

    /// The arguments in parentheses.
    var list: LabeledExprListSyntax {
      if case .argumentList(let list)? = arguments { return list }
      return []
    }

    /// The arguments as written.
    var argumentText: String { list.map(\.trimmedDescription).joined(separator: " ") }

    /// The argument with a label; nil for the label of the first one without a label.
    func argument(_ label: String?) -> ExprSyntax? {
      list.first { $0.label?.text == label }?.expression.trimmed
    }
  }

  extension AttributeListSyntax {
    /// The attributes, without those inside `#if`.
    var plain: [AttributeSyntax] { compactMap { $0.as(AttributeSyntax.self) } }

    func all(_ name: String) -> [AttributeSyntax] { plain.filter { $0.shortName == name } }

    /// The attributes inside `#if`, in whichever branch.
    var conditional: [AttributeSyntax] {
      compactMap { $0.as(IfConfigDeclSyntax.self) }.flatMap(\.clauses).flatMap { clause -> [AttributeSyntax] in
        guard case .attributes(let list)? = clause.elements else { return [] }
        return list.plain + list.conditional
      }
    }

    /// True if there is an attribute of this name, inside `#if` or not.
    func contains(_ name: String) -> Bool { (plain + conditional).contains { $0.shortName == name } }
  }

  /// The attributes that become a method of the same meaning, called on the column or the table.
  enum Modifier {
    static let ofColumns = [
      "PrimaryKey": "primaryKey", "NotNull": "notNull", "Unique": "unique", "Check": "check", "Collate": "collate",
      "Generated": "generated", "References": "references", "Renamed": "renamed", "Backfill": "backfill",
      "Converting": "converting",
    ]
    static let ofTables = [
      "Strict": "strict", "WithoutRowID": "withoutRowID", "Renamed": "renamed", "Removed": "removed",
    ]
    /// All attributes that say something about a column.
    static let columnNames = Set(ofColumns.keys).union(["Column", "Default", "Embedded", "Transient"])
    /// All that say something about a column or a table.
    static let names = columnNames.union(ofTables.keys)
    /// The attributes that may be written several times.
    static let repeatable: Set = ["Check", "Renamed"]
  }
#endif
