#if Macros
  import SwiftSyntax
  import SwiftSyntaxBuilder
  import SwiftSyntaxMacros

  /// Writes the code for a model's or a fragment's properties. Each line that the compiler may object to is attributed
  /// to the property that it comes from.
  struct MemberWriter<Context: MacroExpansionContext> {
    let model: ModelDeclaration
    let context: Context

    init(_ model: ModelDeclaration, in context: Context) {
      self.model = model
      self.context = context
    }

    /// The statements that declare the columns, in a closure whose parameter has no name, since a property might have it too.
    /// A type that cannot be stored is reported by a function that has the name of the property.
    var columns: String {
      lines { property in
        let name = property.name.text
        let (requirement, type) = property.requirement
        var statements = [
          "func \(name)(_ type: (some SchemaKit.\(requirement)).Type) {}",
          "\(name)(\(type).self)",
        ]
        let defaultName = property.variable(defaultPrefix)
        if let value = property.defaultDeclaration(named: defaultName) { statements.append(value) }
        return statements + ["$0.add(\(property.column(of: model.name, defaultName: defaultName)))"]
      }
    }

    /// The prefix of a property's name in the name of its default: no property has such a name itself.
    private var defaultPrefix: String {
      var prefix = "default_"
      while model.columns.contains(where: { $0.label.hasPrefix(prefix) }) { prefix += "_" }
      return prefix
    }

    /// The statements that append an object's values to a row.
    func appends(of object: String, to row: String) -> String {
      lines { ["try \(row).append(\(object).\($0.name.text))"] }
    }

    /// The initializer that reads an object's values from a row. The compiler turns a call of the memberwise initializer into
    /// less code than assignments, which it must be able to undo one by one. Types inside another type have assignments: the
    /// extension stands outside, where the names of the properties' types may mean nothing.
    func initializer(access: String = "") -> String {
      var body = lines { ["self.\($0.name.text) = try row.read()"] }
      if model.hasMemberwiseInitializer, context.lexicalContext.isEmpty {
        let arguments = model.columns.map { "\($0.argumentLabel): \($0.variable("_"))" }.joined(separator: ", ")
        body = lines { ["let \($0.variable("_")): \($0.typeText) = try row.read()"] } + "\nself.init(\(arguments))"
      }
      return """
        \(access)init(row: inout SchemaKit.RowReader) throws {
        \(body)
        }
        """
    }

    /// A class has its initializers in its body. The first one there removes the one without arguments.
    var classInitializers: [DeclSyntax] {
      let empty: [DeclSyntax] = !model.hasInitializer && model.hasAllValues ? ["\(raw: model.access)init() {}"] : []
      return model.readsRow ? empty : ["\(raw: initializer())"] + empty
    }

    /// The constraints, indexes and triggers: static members of the type, or none. They may stand in an extension, which
    /// a macro does not see.
    var extras: String {
      ["constraints", "indexes", "triggers"].map { ",\n  \($0): \(model.name).\($0)" }.joined()
    }

    /// The modifiers of the table that the attributes of the type declare.
    var tableModifiers: String {
      model.attributes.plain.compactMap { attribute in
        Modifier.ofTables[attribute.shortName].map { "\n  .\($0)(\(attribute.argumentText))" }
      }.joined() + (model.readsRow ? "" : "\n  .withoutOrderCheck()")
    }

    /// A member of the right type, so that a mistake that has been reported causes no other errors.
    func placeholder(_ name: String, of type: String) -> DeclSyntax {
      "\(raw: model.access)static var \(raw: name): \(raw: type)<\(raw: model.name)> { while true {} }"
    }

    private func lines(_ statements: (StoredProperty) -> [String]) -> String {
      var text = ""
      var isAttributed = false
      for property in model.columns {
        let location = context.location(of: property.name, at: .afterLeadingTrivia, filePathMode: .filePath)
        for statement in statements(property) {
          if let location {
            text += "#sourceLocation(file: \(location.file), line: \(location.line))\n"
            isAttributed = true
          }
          text += statement + "\n"
        }
      }
      return isAttributed ? text + "#sourceLocation()" : text
    }
  }
#endif
