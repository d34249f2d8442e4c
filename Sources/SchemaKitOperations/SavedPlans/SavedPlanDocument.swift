/// The JSON representation of a saved plan. Its names are a contract.
struct SavedPlanDocument: Codable {
  static let kind = "schemakit-plan"
  /// The version of this form; additions keep it, changes raise it.
  static let currentFormat = 2

  var formatVersion = Self.currentFormat
  var kind = Self.kind
  var checksum = ""
  var createdAt: String
  var library: String
  var engine: String
  /// Consent in the syntax of `--allow`.
  var consent: [String]
  var keepsDropped: Bool
  /// Which strategies were allowed for changing a table; plans of older versions do not say.
  var strategy: StrategyChoice?
  /// The engine that the plan is for; absent for the one that it was made on.
  var profile: EngineProfile.Name?
  var rowsExamined: Bool
  var source: Source
  /// Absent in the document of a fleet, which has one for all of its plans.
  var target: Target?
  var steps: [Step]
  var hazards: [HazardEntry]
  var unmanaged: [String]

  struct Source: Codable {
    var fingerprint: String
    var objects: [SavedPlan.SourceObject]
  }

  struct Target: Codable {
    var schema: String
    var fingerprint: String
    var declaration: String
    var ownsWholeFile: Bool
    var ignored: [String]
    var strictOrder: Bool
    var statements: [String]
    var hints: Hints
  }

  struct Step: Codable {
    struct Statement: Codable {
      var role: PlannedStatement.Role
      var sql: String
      var leavesReferences: Bool
      /// Absent where it is tested against CHECK constraints as usual.
      var ignoresChecks: Bool?
    }
    var strategy: MigrationStep.Strategy
    var kind: ObjectReference.Kind
    var object: SQLName
    var column: SQLName?
    var formerObject: SQLName?
    var changes: [SchemaEditDocument]
    var motive: Motive?
    var passedOver: [MigrationStep.PassedOver]
    var rows: Int?
    var bytes: Int?
    var onBehalfOf: SQLName?
    var statements: [Statement]
  }

  struct HazardEntry: Codable {
    var code: HazardCode
    var table: SQLName
    var column: SQLName?
    var count: Int?
    var samples: [String]
    var message: String
    var remedy: String?
    var isCounted: Bool
    var isConsentedByDeclaration: Bool
    var isPotential: Bool
    /// Absent where the declared schema is not at fault.
    var declaredFault: Bool?
    var isNote: Bool
  }

  struct Hints: Codable {
    struct TableEntry: Codable {
      var table: SQLName
      var renamedFrom: [SQLName]
      var removedColumns: [SQLName]
      var looseTypes: [SQLName]
      var columns: [ColumnEntry]
      /// Absent where nothing is said of Swift types.
      var forms: [FormEntry]?
    }
    /// The form in which the program stores and reads the values of a column.
    struct FormEntry: Codable {
      var column: SQLName
      var type: String
      var coding: String?
      var shape: String?
    }
    struct ColumnEntry: Codable {
      var column: SQLName
      var renamedFrom: [SQLName]
      var fill: String?
      var convert: String?
    }
    struct DataStepEntry: Codable {
      var name: String
      /// The table after which it may run; nil if everything else must be done first.
      var table: SQLName?
      var column: SQLName?
      var isForNewFiles: Bool
    }
    var tables: [TableEntry]
    var removedTables: [SQLName]
    var dataSteps: [DataStepEntry]
    /// The names of the rules that the schema keeps.
    var rules: [String]?
  }
}

// MARK: - From a plan

extension SavedPlanDocument {
  init(_ saved: SavedPlan) {
    let plan = saved.plan
    createdAt = saved.createdAt
    library = saved.library
    engine = plan.engine.description
    consent = saved.consent.optionTexts
    keepsDropped = saved.consent.keepsDropped
    strategy = saved.consent.strategy
    profile = saved.profile
    rowsExamined = plan.areRowsExamined
    source = Source(fingerprint: plan.sourceFingerprint, objects: saved.sourceObjects)
    target = Target(saved.target, fingerprint: plan.targetFingerprint)
    steps = plan.steps.map(Step.init)
    hazards = plan.hazards.map(HazardEntry.init)
    unmanaged = plan.unmanaged
  }
}

extension SavedPlanDocument.Target {
  init(_ target: SavedTarget, fingerprint: String) {
    self.init(
      schema: target.name, fingerprint: fingerprint, declaration: target.digest, ownsWholeFile: target.ownsWholeFile,
      ignored: target.ignored, strictOrder: target.isOrderStrict, statements: target.statements,
      hints: SavedPlanDocument.Hints(target.hints))
  }
}

extension SavedTarget {
  init(_ target: SavedPlanDocument.Target) {
    self.init(
      name: target.schema, statements: target.statements, hints: target.hints.hints,
      ownsWholeFile: target.ownsWholeFile, digest: target.declaration, ignored: target.ignored,
      isOrderStrict: target.strictOrder)
  }
}

extension SavedPlanDocument.Step {
  init(_ step: MigrationStep) {
    strategy = step.strategy
    kind = step.object.kind
    object = step.object.name
    column = step.object.column
    formerObject = step.formerName
    changes = step.edits.map(SchemaEditDocument.init)
    motive = step.motive
    passedOver = step.passedOver
    rows = step.rows
    bytes = step.bytes
    onBehalfOf = step.onBehalfOf
    statements = step.statements.map {
      Statement(
        role: $0.role, sql: $0.sql, leavesReferences: $0.leavesReferences, ignoresChecks: $0.ignoresChecks ? true : nil)
    }
  }

  var step: MigrationStep {
    var step = MigrationStep(
      strategy: strategy, object: ObjectReference(kind, object, column: column), edits: changes.compactMap(\.value),
      motive: motive,
      passedOver: passedOver,
      statements: statements.map {
        PlannedStatement(
          $0.sql, role: $0.role, leavesReferences: $0.leavesReferences, ignoresChecks: $0.ignoresChecks ?? false)
      }, rows: rows, bytes: bytes)
    step.formerName = formerObject
    return step.onBehalf(of: onBehalfOf)
  }
}

extension SavedPlanDocument.HazardEntry {
  init(_ hazard: Hazard) {
    code = hazard.code
    table = SQLName(hazard.table)
    column = hazard.column.map { SQLName($0) }
    count = hazard.count
    samples = hazard.samples
    message = hazard.message
    remedy = hazard.remedy
    isCounted = hazard.isCounted
    isConsentedByDeclaration = hazard.isConsentedByDeclaration
    isPotential = hazard.isPotential
    declaredFault = hazard.isDeclaredFault ? true : nil
    isNote = hazard.isNote
  }

  var hazard: Hazard {
    var hazard = Hazard(
      code, table: table, column: column, count: count, samples: samples,
      cause: HazardCause(SavedHazard(message: message, remedy: remedy)), isNote: isNote)
    hazard.isCounted = isCounted
    hazard.isConsentedByDeclaration = isConsentedByDeclaration
    hazard.isPotential = isPotential
    hazard.isDeclaredFault = declaredFault ?? false
    return hazard
  }
}

extension SavedPlanDocument.Hints {
  init(_ hints: MigrationHints) {
    tables = hints.tables.sorted { $0.key < $1.key }.map { name, hints in
      TableEntry(
        table: name, renamedFrom: hints.renamedFrom, removedColumns: hints.removedColumns.sorted(),
        looseTypes: hints.looseTypes.sorted(),
        columns: hints.columns.sorted { $0.key < $1.key }.map { name, hints in
          ColumnEntry(column: name, renamedFrom: hints.renamedFrom, fill: hints.backfill, convert: hints.conversion)
        },
        forms: hints.forms.isEmpty
          ? nil
          : hints.forms.sorted { $0.key < $1.key }.map { name, declared in
            FormEntry(
              column: name, type: declared.form.type, coding: declared.form.coding, shape: declared.form.shape)
          })
    }
    removedTables = hints.removedTables.sorted()
    rules = hints.rules.isEmpty ? nil : hints.rules.names
    dataSteps = hints.dataSteps.map { step in
      let (table, column): (SQLName?, SQLName?) =
        switch step.moment {
        case .tableAdded(let table): (table, nil)
        case .columnAdded(let table, let column): (table, column)
        case .schemaChanged: (nil, nil)
        }
      return DataStepEntry(name: step.name, table: table, column: column, isForNewFiles: step.isForNewFiles)
    }
  }

  var hints: MigrationHints {
    var hints = MigrationHints(removedTables: Set(removedTables))
    for name in rules ?? [] { hints.rules.formUnion(SchemaRules.named[name] ?? []) }
    for table in tables {
      var tableHints = TableHints(
        renamedFrom: table.renamedFrom, removedColumns: Set(table.removedColumns), looseTypes: Set(table.looseTypes))
      for column in table.columns {
        tableHints.columns[column.column] = ColumnHints(
          renamedFrom: column.renamedFrom, backfill: column.fill, conversion: column.convert)
      }
      for form in table.forms ?? [] {
        tableHints.forms[form.column] = DeclaredForm(
          ValueForm(type: form.type, coding: form.coding, shape: form.shape))
      }
      hints.tables[table.table] = tableHints
    }
    hints.dataSteps = dataSteps.map { step in
      let moment: DataStepHint.Moment =
        switch (step.table, step.column) {
        case (let table?, let column?): .columnAdded(table, column)
        case (let table?, nil): .tableAdded(table)
        default: .schemaChanged
        }
      return DataStepHint(name: step.name, moment: moment, isForNewFiles: step.isForNewFiles)
    }
    return hints
  }
}
