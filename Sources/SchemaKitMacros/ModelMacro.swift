#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxBuilder
  import SwiftSyntaxMacros

  /// `@Model`: writes the table as a member, and the conformance with the initializer that reads a row.
  struct ModelMacro: MemberMacro, ExtensionMacro {
    static func expansion(
      of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
      conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      guard let model = ModelDeclaration.checked(declaration, macro: "Model", attribute: node, in: context) else {
        return []
      }
      let writer = MemberWriter(model, in: context)
      if model.hasErrors { return [writer.placeholder("table", of: "SchemaKit.ModelTable")] }
      let table: DeclSyntax = """
        \(raw: model.access)static let table: SchemaKit.ModelTable<\(raw: model.name)> = SchemaKit.ModelTable<\(raw: model.name)>(
          \(raw: node.list.first?.expression.trimmedDescription ?? ""),
          columns: {
        \(raw: writer.columns)
          },
          decode: { try \(raw: model.name)(row: &$0) },
          encode: {
        \(raw: writer.appends(of: "$0", to: "$1"))
          }\(raw: writer.extras)
        )\(raw: writer.tableModifiers)
        """
      return [table] + (model.isClass ? writer.classInitializers : [])
    }

    static func expansion(
      of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
      providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
      in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
      guard let model = ModelDeclaration(declaration, macro: "Model", attribute: node),
        !model.isPrivateNested(declaration, in: context)
      else { return [] }
      let conformance = protocols.isEmpty ? "" : ": SchemaKit.Model"
      let initializer =
        model.isClass || model.hasErrors || model.readsRow ? "" : MemberWriter(model, in: context).initializer()
      return [
        try ExtensionDeclSyntax(
          """
          extension \(type.trimmed)\(raw: conformance) {
          \(raw: initializer)
          }
          """)
      ]
    }
  }

  /// `@Fragment`: writes the columns as a member, and the conformance with row coding.
  struct FragmentMacro: MemberMacro, ExtensionMacro {
    static func expansion(
      of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
      conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      guard
        let fragment = ModelDeclaration.checked(declaration, macro: "Fragment", attribute: node, in: context)
      else { return [] }
      let writer = MemberWriter(fragment, in: context)
      if fragment.hasErrors { return [writer.placeholder("columns", of: "SchemaKit.ColumnGroup")] }
      let group: DeclSyntax = """
        \(raw: fragment.access)static let columns: SchemaKit.ColumnGroup<\(raw: fragment.name)> = SchemaKit.ColumnGroup<\(raw: fragment.name)>(
          columns: {
        \(raw: writer.columns)
          },
          decode: { try \(raw: fragment.name)(row: &$0) },
          encode: { try $0.write(to: &$1) }
        )
        """
      return [group]
    }

    static func expansion(
      of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
      providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
      in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
      guard let fragment = ModelDeclaration(declaration, macro: "Fragment", attribute: node),
        !fragment.isPrivateNested(declaration, in: context)
      else { return [] }
      let conformance = protocols.isEmpty ? "" : ": SchemaKit.Fragment"
      let writer = MemberWriter(fragment, in: context)
      let coding =
        fragment.hasErrors
        ? ""
        : """
        \(writer.initializer(access: fragment.access))
        \(fragment.access)func write(to row: inout SchemaKit.RowWriter) throws {
        \(writer.appends(of: "self", to: "row"))
        }
        """
      return [
        try ExtensionDeclSyntax(
          """
          extension \(type.trimmed)\(raw: conformance) {
          \(raw: coding)
          }
          """)
      ]
    }
  }

  extension ModelDeclaration {
    /// The declaration, with its mistakes reported; nil if nothing can be written for it.
    static func checked(
      _ declaration: some DeclGroupSyntax, macro: String, attribute: AttributeSyntax,
      in context: some MacroExpansionContext
    ) -> ModelDeclaration? {
      guard let model = ModelDeclaration(declaration, macro: macro, attribute: attribute) else { return nil }
      model.diagnostics.forEach(context.diagnose)
      guard !model.name.isEmpty else { return nil }
      if model.isPrivateNested(declaration, in: context) {
        context.diagnose(Diagnostic(node: Syntax(attribute), message: ModelDiagnostic.privateNested(model.name)))
        return nil
      }
      return model
    }

    /// True if an extension of the type, which stands outside of all types, cannot see it.
    func isPrivateNested(_ declaration: some DeclGroupSyntax, in context: some MacroExpansionContext) -> Bool {
      guard declaration.modifiers.contains(where: { $0.name.text == "private" }) else { return false }
      return context.lexicalContext.contains { $0.asProtocol((any DeclGroupSyntax).self) != nil }
    }
  }
#endif
