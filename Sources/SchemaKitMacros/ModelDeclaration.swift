#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// A type to which `@Model` or `@Fragment` is attached, and what is wrong with it.
  struct ModelDeclaration {
    /// The name of the macro: Model or Fragment.
    let macro: String
    let name: String
    /// The access level of what is written, with a space after it; empty for internal.
    let access: String
    let isClass: Bool
    let attributes: AttributeListSyntax
    /// The properties with a column, in order.
    private(set) var columns: [StoredProperty] = []
    private(set) var diagnostics: [Diagnostic] = []
    /// True if the type has an initializer of its own, and one that reads a row.
    private(set) var hasInitializer = false
    private(set) var readsRow = false
    /// The initial values of static members named constraints and indexes.
    private var lists: [Syntax] = []
    /// True if the compiler writes an initializer that takes a value for each column, as far as the text tells.
    private(set) var hasMemberwiseInitializer = true
    /// True if every stored property has a value from the start.
    private(set) var hasAllValues = true

    init?(_ declaration: some DeclGroupSyntax, macro: String, attribute: AttributeSyntax) {
      self.macro = macro
      attributes = declaration.attributes
      let access = declaration.modifiers.first { ["public", "package"].contains($0.name.text) }
      self.access = access.map { "\($0.name.text) " } ?? ""
      if let type = declaration.as(StructDeclSyntax.self) {
        name = type.name.text
        isClass = false
        checkGeneric(type.genericParameterClause)
      } else if let type = declaration.as(ClassDeclSyntax.self),
        type.modifiers.contains(where: { $0.name.text == "final" })
      {
        name = type.name.text
        isClass = true
        checkGeneric(type.genericParameterClause)
      } else {
        name = ""
        isClass = false
        report(.notAStruct(macro), at: attribute)
        return
      }
      checkConformance(declaration)
      checkConditionalAttributes(attributes, of: "'\(name)'")
      let own = Set(Modifier.ofTables.keys).union(["Model", "Fragment"])
      // Another macro may write an initializer.
      hasMemberwiseInitializer =
        !isClass && attributes.allSatisfy { $0.as(AttributeSyntax.self).map { own.contains($0.shortName) } ?? false }
      for member in declaration.memberBlock.members { add(member.decl) }
      for list in lists { checkPaths(in: list) }
      if columns.isEmpty, diagnostics.isEmpty { report(.noColumns(name), at: attribute) }
      checkKeys()
    }

    var hasErrors: Bool { diagnostics.contains { $0.diagMessage.severity == .error } }

    private mutating func report(_ message: ModelDiagnostic, at node: some SyntaxProtocol) {
      diagnostics.append(Diagnostic(node: Syntax(node), message: message))
    }
  }

  extension ModelDeclaration {
    private mutating func checkGeneric(_ clause: GenericParameterClauseSyntax?) {
      if let clause { report(.generic(name), at: clause) }
    }

    private mutating func checkConformance(_ declaration: some DeclGroupSyntax) {
      for inherited in declaration.inheritanceClause?.inheritedTypes ?? []
      where [macro, "SchemaKit.\(macro)"].contains(inherited.type.trimmedDescription) {
        report(.conformanceWrittenTwice(name, macro), at: inherited.type)
      }
    }

    private mutating func add(_ member: DeclSyntax) {
      if let variable = member.as(VariableDeclSyntax.self) { return add(variable) }
      if let initializer = member.as(InitializerDeclSyntax.self) {
        if !initializer.modifiers.contains(where: { $0.name.text == "convenience" }) { hasInitializer = true }
        hasMemberwiseInitializer = false
        if initializer.readsRow { readsRow = true }
      }
      if let condition = member.as(IfConfigDeclSyntax.self) { check(condition) }
      // There may be an initializer in either.
      if member.is(IfConfigDeclSyntax.self) || member.is(MacroExpansionDeclSyntax.self) {
        hasMemberwiseInitializer = false
      }
    }

    /// Properties that exist on some platforms only would need a table of its own for each.
    private mutating func check(_ condition: IfConfigDeclSyntax) {
      for case .decls(let members)? in condition.clauses.map(\.elements) {
        for member in members {
          if let inner = member.decl.as(IfConfigDeclSyntax.self) { check(inner) }
          if let variable = member.decl.as(VariableDeclSyntax.self) { checkConditional(variable) }
        }
      }
    }

    private mutating func checkConditional(_ variable: VariableDeclSyntax) {
      checkConditionalAttributes(variable.attributes, of: "property '\(variable.writtenName)'")
      if variable.isStatic || !variable.bindings.contains(where: { $0.isStored }) {
        if let attribute = variable.attributes.plain.first(where: { Modifier.columnNames.contains($0.shortName) }) {
          report(.notStored(variable.writtenName, attribute.shortName), at: attribute)
        }
      } else if variable.attributes.all("Transient").isEmpty {
        report(.conditional(variable.writtenName), at: variable.bindings)
      }
    }

    /// Reports attributes that depend on the build: all programs that open a file have one table.
    private mutating func checkConditionalAttributes(_ attributes: AttributeListSyntax, of owner: String) {
      for attribute in attributes.conditional where Modifier.names.contains(attribute.shortName) {
        report(.conditionalAttribute(attribute.shortName, of: owner, macro), at: attribute)
      }
    }

    private mutating func add(_ variable: VariableDeclSyntax) {
      let written = macro == "Model" ? "table" : "columns"
      let own = variable.attributes.plain.filter { Modifier.columnNames.contains($0.shortName) }
      checkConditionalAttributes(variable.attributes, of: "property '\(variable.writtenName)'")
      for (binding, annotation) in variable.annotatedBindings {
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
          report(.pattern(binding.pattern.trimmedDescription), at: binding.pattern)
          continue
        }
        if variable.isStatic {
          if ["constraints", "indexes"].contains(name.text) {
            lists += [binding.initializer.map { Syntax($0) }, binding.accessorBlock.map { Syntax($0) }].compactMap {
              $0
            }
          }
          if name.text == written { report(.writtenTwice(written, macro), at: binding.pattern) }
        }
        if variable.isStatic || !binding.isStored {
          if let attribute = own.first { report(.notStored(name.text, attribute.shortName), at: attribute) }
          continue
        }
        add(name, annotation, binding, of: variable, own)
      }
    }

    private mutating func add(
      _ name: TokenSyntax, _ annotation: TypeSyntax?, _ binding: PatternBindingSyntax, of variable: VariableDeclSyntax,
      _ attributes: [AttributeSyntax]
    ) {
      // A private property makes the initializer private too, and another macro or a wrapper may change the parameter.
      if attributes.count < variable.attributes.count || variable.isPrivate { hasMemberwiseInitializer = false }
      let isConstant = variable.bindingSpecifier.text == "let"
      let isTransient = attributes.contains { $0.shortName == "Transient" }
      // Without a value for it, the call might mean an initializer in an extension.
      if isTransient, !isConstant { hasMemberwiseInitializer = false }
      guard let type = annotation else {
        // A property that is not stored may be written as short as Swift permits.
        if !isTransient { report(.noType(name.text), at: binding.pattern) }
        return
      }
      let property = StoredProperty(
        name: name, type: type, initialValue: binding.initializer?.value, isConstant: isConstant,
        attributes: attributes)
      let hasValue = property.initialValue != nil || (property.isOptional && !isConstant)
      if !hasValue { hasAllValues = false }
      checkCombinations(property)
      if isTransient {
        let isLazy = variable.modifiers.contains { $0.name.text == "lazy" }
        if !hasValue, !isLazy { report(.transientWithoutValue(property.label), at: binding.pattern) }
        return
      }
      if variable.modifiers.contains(where: { $0.name.text == "lazy" }) {
        report(.lazyProperty(property.label), at: binding.pattern)
        return
      }
      if isConstant, property.initialValue != nil {
        report(.constantWithValue(property.label), at: binding.pattern)
        return
      }
      checkDefault(property)
      columns.append(property)
    }

    private mutating func checkCombinations(_ property: StoredProperty) {
      var seen: Set<String> = []
      for attribute in property.attributes {
        let name = attribute.shortName
        if !seen.insert(name).inserted, !Modifier.repeatable.contains(name) {
          report(.repeated(property.label, name), at: attribute)
        }
      }
      for alone in ["Transient", "Embedded"] where property.has(alone) {
        if let other = property.attributes.first(where: { $0.shortName != alone }) {
          report(.notWith(property.label, alone, other.shortName), at: other)
        }
      }
    }

    private mutating func checkKeys() {
      let keys = columns.filter { $0.has("PrimaryKey") }
      if keys.count > 1, let attribute = keys[1].first("PrimaryKey") {
        report(.twoKeys(keys[0].label, keys[1].label, in: name), at: attribute)
      }
      var names: [String: StoredProperty] = [:]
      for column in columns where !column.isEmbedded {
        let name = column.columnName
        if let other = names.updateValue(column, forKey: name.lowercased()) {
          report(.sameColumn(other.label, column.label, name), at: column.name)
        }
      }
    }

    /// Reports paths of constraints and indexes that lead to no column: the compiler does not name them.
    private mutating func checkPaths(in syntax: Syntax) {
      let finder = PathFinder(root: name)
      finder.walk(syntax)
      for (path, property) in finder.found {
        guard let column = columns.first(where: { $0.label == property.withoutBackticks }) else {
          report(.noColumn(property, of: name, near: columns.map(\.label)), at: path)
          continue
        }
        // With `?` it compiles too, but equals the path of no column.
        if column.isEmbedded, path.components.contains(where: { $0.isChain }) {
          report(.optionalChain(path.trimmedDescription), at: path)
        }
      }
    }

    private mutating func checkDefault(_ property: StoredProperty) {
      guard let attribute = property.first("Default"), attribute.argument("sql") == nil else { return }
      guard let value = attribute.argument(nil) ?? property.initialValue else {
        report(.noDefault(property.label), at: attribute)
        return
      }
      if let literal = LiteralKind.mismatch(value, for: property.type) {
        report(.defaultType(property.label, property.typeText, literal), at: attribute)
      }
      if ChangingValueFinder(value, of: property.wrappedTypeText).isChanging {
        report(.changingDefault(property.label), at: attribute)
      }
    }
  }

  extension KeyPathComponentSyntax {
    /// True if it is a `?`.
    fileprivate var isChain: Bool {
      guard case .optional(let mark) = component else { return false }
      return mark.questionOrExclamationMark.text == "?"
    }
  }

  extension InitializerDeclSyntax {
    /// True if it is `init(row: inout RowReader)`, and not one that takes the value of a property named row.
    fileprivate var readsRow: Bool {
      let parameters = signature.parameterClause.parameters
      guard parameters.count == 1, let parameter = parameters.first, parameter.firstName.text == "row",
        let type = parameter.type.as(AttributedTypeSyntax.self)
      else { return false }
      let isInout = type.specifiers.contains { $0.trimmedDescription == "inout" }
      return isInout && ["RowReader", "SchemaKit.RowReader"].contains(type.baseType.trimmedDescription)
    }
  }

  extension VariableDeclSyntax {
    var isStatic: Bool { modifiers.contains { ["static", "class"].contains($0.name.text) } }

    /// The names before the types and values, without backticks.
    var writtenName: String {
      bindings.map { $0.pattern.trimmedDescription.replacing("`", with: "") }.joined(separator: ", ")
    }

    /// True if it cannot be read from everywhere in the file, or from other files.
    var isPrivate: Bool {
      modifiers.contains { ["private", "fileprivate"].contains($0.name.text) && $0.detail == nil }
    }

    /// The bindings with their types: in `var a, b: Int` both have that of the last.
    var annotatedBindings: [(PatternBindingSyntax, TypeSyntax?)] {
      var result: [(PatternBindingSyntax, TypeSyntax?)] = []
      var following: TypeSyntax?
      for binding in bindings.reversed() {
        if let type = binding.typeAnnotation?.type { following = type }
        if binding.initializer != nil, binding.typeAnnotation == nil { following = nil }
        result.append((binding, following?.trimmed))
      }
      return result.reversed()
    }
  }

  extension PatternBindingSyntax {
    /// True if the property has storage: it has no accessors, or only observers.
    var isStored: Bool {
      switch accessorBlock?.accessors {
      case nil: true
      case .getter: false
      case .accessors(let accessors):
        accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
      }
    }
  }
#endif
