extension TableDeclaration {
  /// Finds what SQLite would reject or misread, so that errors are reported in terms of models.
  func validate() throws(DeclarationError) {
    try validateNames()
    try validateKeys()
    try validateGeneratedColumns()
    try validateHints()
    if isStrict { try validateStrictTypes() }
    if let mistake = orderMistake() { throw error(mistake) }
  }

  private func validateNames() throws(DeclarationError) {
    if let flaw = columns.lazy.compactMap(\.flaw).first { throw error(flaw) }
    if let reason = reservation(of: name, kind: "a table") { throw error(reason) }
    var seen: Set<SQLName> = []
    for column in columns {
      if let reason = flaw(in: column.name, kind: "a column") { throw error(reason) }
      guard seen.insert(SQLName(column.name)).inserted else { throw error(.duplicateColumn(column.name)) }
    }
    try validateProperties()
    var constraintNames: Set<SQLName> = []
    for name in givenConstraintNames {
      if let reason = flaw(in: name, kind: "a constraint") { throw error(reason) }
      guard constraintNames.insert(SQLName(name)).inserted else { throw error(.duplicateConstraint(name)) }
    }
    for index in indexes {
      if let reason = reservation(of: index.name, kind: "an index") { throw error(reason) }
    }
  }

  /// Two columns of the same property would both be written from it, and the property meant for the other would be
  /// lost.
  private func validateProperties() throws(DeclarationError) {
    var seen: [AnyKeyPath: String] = [:]
    for column in columns {
      let path = column.path()
      if let other = seen.updateValue(column.name, forKey: path) {
        throw error(.duplicateProperty(Self.spelling(of: path), columns: [other, column.name]))
      }
    }
  }

  private var givenConstraintNames: [String] {
    var names: [String?] = []
    for column in columns {
      names.append(column.unique?.name)
      names += column.checks.map(\.name)
      names.append(column.reference?.name)
    }
    return (names + constraints.map(\.name)).compactMap { $0 }
  }

  private func validateKeys() throws(DeclarationError) {
    var keys: [[String]] = []
    for column in columns {
      guard let key = column.primaryKey else { continue }
      keys.append([column.name])
      guard key.isAutoincrement else { continue }
      guard !isWithoutRowID else { throw error(.autoincrementWithoutRowID(column: column.name)) }
      guard isRowID(column) else {
        let type = column.typeName + (key.order == .descending ? " DESC" : "")
        throw error(.autoincrementWithoutIntegerKey(column: column.name, type: type))
      }
    }
    for constraint in constraints {
      guard case .primaryKey(let paths, _) = constraint.kind else { continue }
      keys.append(try columnNames(paths, in: "the primary key"))
    }
    guard keys.count < 2 else {
      throw error(.severalPrimaryKeys(keys.map { $0.count == 1 ? $0[0] : "(\($0.joined(separator: ", ")))" }))
    }
    guard !isWithoutRowID || !keys.isEmpty else { throw error(.withoutRowIDWithoutPrimaryKey) }
    let keyColumns = Set(keys.joined().map { SQLName($0) })
    for column in columns where keyColumns.contains(SQLName(column.name)) {
      if column.generated != nil { throw error(.generatedColumnInPrimaryKey(column.name)) }
      if column.isInOptionalFragment { throw error(.optionalFragmentInPrimaryKey(column.name)) }
    }
  }

  private func validateGeneratedColumns() throws(DeclarationError) {
    guard columns.contains(where: { $0.generated == nil }) else { throw error(.onlyGeneratedColumns) }
    for column in columns where column.generated != nil {
      guard column.defaultValue == nil else { throw error(.generatedColumnWithDefault(column.name)) }
      let isConverted = column.hints.backfill != nil || column.hints.conversion != nil
      guard !isConverted, column.backfill == nil, column.conversion == nil else {
        throw error(.generatedColumnWithConversion(column.name))
      }
    }
  }

  private func validateHints() throws(DeclarationError) {
    guard !formerNames.contains(SQLName(name)) else { throw error(.renamedFromItself(name)) }
    for former in formerNames {
      if let reason = flaw(in: former.text, kind: "a former table") { throw error(reason) }
    }
    for column in columns {
      let name = SQLName(column.name)
      guard !column.hints.renamedFrom.contains(name) else { throw error(.renamedFromItself(column.name)) }
      guard !removedColumns.contains(name) else { throw error(.removedButDeclared(column.name)) }
      for former in column.hints.renamedFrom {
        if let reason = flaw(in: former.text, kind: "a former column") { throw error(reason) }
      }
    }
  }

  private func validateStrictTypes() throws(DeclarationError) {
    for column in columns where !TableSchema.strictTypes.contains(SQLName(column.typeName)) {
      throw error(.typeNotStrict(column: column.name, type: column.typeName))
    }
  }
}

/// Returns the problem with a name that only has to be readable, such as a column's.
func flaw(in name: String, kind: String) -> DeclarationError.Reason? {
  if name.isEmpty { return .emptyName(of: kind) }
  return name.utf8.contains(0) ? .embeddedNUL("the name of \(kind)") : nil
}

/// Returns the problem with the name of an object in the schema.
func reservation(of name: String, kind: String) -> DeclarationError.Reason? {
  if let flaw = flaw(in: name, kind: kind) { return flaw }
  let folded = SQLName(name).folded
  return folded.hasPrefix("sqlite_") || folded.hasPrefix("_schemakit_") ? .reservedName(name) : nil
}
