#if Macros
  import SwiftDiagnostics
  import SwiftSyntax

  /// A mistake in a model, in words that name the property.
  struct ModelDiagnostic: DiagnosticMessage {
    let message: String
    let severity: DiagnosticSeverity
    let diagnosticID: MessageID

    init(_ id: String, _ message: String, severity: DiagnosticSeverity = .error) {
      self.message = message
      self.severity = severity
      diagnosticID = MessageID(domain: "SchemaKit", id: id)
    }
  }

  extension ModelDiagnostic {
    static func notAStruct(_ macro: String) -> Self {
      Self("notAStruct", "@\(macro) requires a struct or a final class")
    }
    static func generic(_ name: String) -> Self {
      Self("generic", "'\(name)' is generic, and a table has one set of columns: write a struct for each table")
    }
    static func privateNested(_ name: String) -> Self {
      Self(
        "privateNested",
        "'\(name)' is private inside another type, where its conformance cannot be written: make it fileprivate")
    }
    static func noColumns(_ name: String) -> Self {
      Self("noColumns", "'\(name)' has no stored property, and a table needs a column")
    }
    static func writtenTwice(_ member: String, _ macro: String) -> Self {
      Self("writtenTwice", "@\(macro) writes '\(member)': remove this one, or the attribute")
    }
    static func conformanceWrittenTwice(_ name: String, _ macro: String) -> Self {
      Self(
        "conformanceWrittenTwice", "@\(macro) writes the conformance of '\(name)': remove ': \(macro)'",
        severity: .warning)
    }
    static func noType(_ property: String) -> Self {
      Self("noType", "Property '\(property)' has no type: write it, as in 'var \(property): Int = …'")
    }
    static func constantWithValue(_ property: String) -> Self {
      Self(
        "constantWithValue",
        "Property '\(property)' is a constant with a value, which no row can replace: make it a var, remove the value, or add @Transient"
      )
    }
    static func lazyProperty(_ property: String) -> Self {
      Self("lazyProperty", "Property '\(property)' is lazy and has no column: add @Transient")
    }
    static func pattern(_ pattern: String) -> Self {
      Self("pattern", "Columns need one property each: write a property for every value of '\(pattern)'")
    }
    static func conditional(_ property: String) -> Self {
      Self(
        "conditional",
        "Property '\(property)' is inside #if and has no column: move it out, or write the table by hand")
    }
    static func conditionalAttribute(_ attribute: String, of owner: String, _ macro: String) -> Self {
      Self(
        "conditionalAttribute",
        "@\(attribute) of \(owner) is inside #if, where @\(macro) does not read it: move it out")
    }
    static func transientWithoutValue(_ property: String) -> Self {
      Self(
        "transientWithoutValue",
        "Property '\(property)' is @Transient and needs a value for objects that are read: write 'var \(property): … = …'"
      )
    }
    static func notStored(_ property: String, _ attribute: String) -> Self {
      Self("notStored", "Property '\(property)' is not stored in the object and has no column: remove @\(attribute)")
    }
    static func notWith(_ property: String, _ attribute: String, _ other: String) -> Self {
      Self("notWith", "Property '\(property)' cannot have both @\(attribute) and @\(other)")
    }
    static func repeated(_ property: String, _ attribute: String) -> Self {
      Self("repeated", "Property '\(property)' has @\(attribute) twice")
    }
    static func twoKeys(_ first: String, _ second: String, in model: String) -> Self {
      Self(
        "twoKeys",
        "Properties '\(first)' and '\(second)' are both @PrimaryKey: a key of both is 'static let constraints = [Constraint<\(model)>.primaryKey(\\.\(first), \\.\(second))]'"
      )
    }
    static func sameColumn(_ first: String, _ second: String, _ column: String) -> Self {
      Self("sameColumn", "Properties '\(first)' and '\(second)' are both stored in column \(column): rename one")
    }
    static func noColumn(_ property: String, of model: String, near names: [String]) -> Self {
      let near = names.first { $0.lowercased() == property.lowercased() || $0.sorted() == property.sorted() }
      return Self(
        "noColumn",
        "'\(property)' is not a property of '\(model)' with a column" + (near.map { ": did you mean '\($0)'?" } ?? ""))
    }
    static func optionalChain(_ path: String) -> Self {
      let forced = path.replacing("?", with: "!")
      return Self("optionalChain", "The column of an optional fragment is written with !, as in '\(forced)'")
    }
    static func noDefault(_ property: String) -> Self {
      Self(
        "noDefault",
        "Property '\(property)' has @Default without a value: write the property's initial value, or @Default(…) or @Default(sql: …)"
      )
    }
    static func changingDefault(_ property: String) -> Self {
      Self(
        "changingDefault",
        "The default of property '\(property)' would be another one each time the program starts: use @Default(sql: …), or leave out @Default"
      )
    }
    static func defaultType(_ property: String, _ type: String, _ kind: String) -> Self {
      Self("defaultType", "The default of property '\(property)' is \(kind), but its type is \(type)")
    }
  }
#endif
