#if Macros
  import SwiftSyntax

  /// Where an attribute stands, and what is wrong with the place. Nothing would read it there, and what it says would
  /// silently not be so.
  struct AttributePlacement {
    private let attribute: AttributeSyntax
    private let declaration: any DeclSyntaxProtocol
    /// The context of the declaration: a type, an extension or a function; nil in a file.
    private let surroundings: Syntax?

    init(_ attribute: AttributeSyntax, of declaration: some DeclSyntaxProtocol, in surroundings: Syntax?) {
      self.attribute = attribute
      self.declaration = declaration
      self.surroundings = surroundings
    }

    private var name: String { attribute.shortName }

    /// The mistake that ``ModelDeclaration`` cannot see; nil if it reads the attribute, or reports it.
    var mistake: ModelDiagnostic? {
      if let type = declaration.asProtocol((any DeclGroupSyntax).self) { return mistake(on: type) }
      guard let variable = declaration.as(VariableDeclSyntax.self) else { return .notOfProperty(name) }
      return mistake(on: variable)
    }

    private func mistake(on type: any DeclGroupSyntax) -> ModelDiagnostic? {
      let isModel = type.attributes.contains("Model")
      if let method = Modifier.ofTables[name] {
        if isModel { return nil }
        if type.attributes.contains("Fragment") { return .tableOfFragment(name, type.writtenName) }
        return .notAModel(name, type.writtenName, call: "\(method)(\(attribute.argumentText))")
      }
      return isModel
        ? .ofColumn(name, type.writtenName, constraint: constraint(of: type.writtenName))
        : .ofColumnWithoutModel(name, type.writtenName)
    }

    /// The constraint of the table that comes nearest.
    private func constraint(of type: String) -> String? {
      switch name {
      case "Check": "Constraint<\(type)>.check(\(attribute.argumentText))"
      case "Unique": "Constraint<\(type)>.unique(\\.…, \\.…)"
      case "PrimaryKey": "Constraint<\(type)>.primaryKey(\\.…, \\.…)"
      case "References": "Constraint<\(type)>.foreignKey(\\.…, \\.…, references: …)"
      default: nil
      }
    }

    private func mistake(on variable: VariableDeclSyntax) -> ModelDiagnostic? {
      let property = variable.writtenName
      guard Modifier.columnNames.contains(name) else { return .ofTable(name, property) }
      guard let type = surroundings?.asProtocol((any DeclGroupSyntax).self) else {
        return .outsideOfType(property, name)
      }
      if surroundings?.is(ExtensionDeclSyntax.self) == true { return .inExtension(property, name) }
      if type.attributes.contains("Model") || type.attributes.contains("Fragment") { return nil }
      return .propertyWithoutModel(property, name, type.writtenName, byHand: byHand(property))
    }

    /// Returns the equivalent for a table without the macro.
    private func byHand(_ property: String) -> String {
      if name == "Transient" { return "remove @Transient" }
      if name == "Embedded" { return "write 'Column(embedding: \\.\(property))' in its table" }
      guard let method = name == "Default" ? "default" : Modifier.ofColumns[name] else {
        return "write 'Column(…, \\.\(property))' in its table"
      }
      return "write '.\(method)(\(attribute.argumentText))' after its Column in the table"
    }
  }

  extension DeclGroupSyntax {
    /// The name of the type.
    fileprivate var writtenName: String {
      if let named = asProtocol((any NamedDeclSyntax).self) { return named.name.text }
      return self.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription ?? ""
    }
  }

  extension ModelDiagnostic {
    fileprivate static func notOfProperty(_ attribute: String) -> Self {
      Self("notOfProperty", "@\(attribute) belongs to a stored property of a model: remove it here")
    }
    fileprivate static func tableOfFragment(_ attribute: String, _ type: String) -> Self {
      Self(
        "tableOfFragment",
        "@\(attribute) belongs to a table, and fragment '\(type)' has none: write it before the models that embed it")
    }
    fileprivate static func notAModel(_ attribute: String, _ type: String, call: String) -> Self {
      Self(
        "notAModel",
        "@\(attribute) has no effect on '\(type)', which has no @Model: add that, or write '.\(call)' after its ModelTable"
      )
    }
    fileprivate static func ofColumn(_ attribute: String, _ type: String, constraint: String?) -> Self {
      let place = constraint.map { "for the table of '\(type)', write 'static let constraints = [\($0)]'" }
      return Self(
        "ofColumn", "@\(attribute) belongs to a property: " + (place ?? "write it before one of those of '\(type)'"))
    }
    fileprivate static func ofColumnWithoutModel(_ attribute: String, _ type: String) -> Self {
      Self(
        "ofColumnWithoutModel",
        "@\(attribute) belongs to a property of a type with @Model or @Fragment, not to '\(type)': move or remove it")
    }
    fileprivate static func ofTable(_ attribute: String, _ property: String) -> Self {
      Self(
        "ofTable", "@\(attribute) belongs to a table: write it beside @Model, and not before property '\(property)'")
    }
    fileprivate static func outsideOfType(_ property: String, _ attribute: String) -> Self {
      Self("outsideOfType", "'\(property)' is not a property of a model and has no column: remove @\(attribute)")
    }
    fileprivate static func inExtension(_ property: String, _ attribute: String) -> Self {
      Self("inExtension", "Property '\(property)' stands in an extension and has no column: remove @\(attribute)")
    }
    fileprivate static func propertyWithoutModel(
      _ property: String, _ attribute: String, _ type: String, byHand: String
    ) -> Self {
      Self(
        "propertyWithoutModel",
        "@\(attribute) of property '\(property)' has no effect, since '\(type)' has no @Model or @Fragment: add one, or \(byHand)"
      )
    }
  }
#endif
