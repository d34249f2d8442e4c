import OrderedCollections

/// A plan that was saved for later: what was decided, for which schema, and on which results of row checks.
///
/// A saved plan is carried out only if a plan newly made for the database has the same statements and no hazard has
/// grown; otherwise it is stale.
///
/// ```swift
/// let saved = try SchemaInspector(at: "notes.db").savedPlan(to: schema)
/// try saved.json().write(toFile: "plan.json", atomically: true, encoding: .utf8)
/// ```
public struct SavedPlan: Sendable, Hashable {
  /// The steps and what they could lose, as they were when the plan was made.
  public private(set) var plan: MigrationPlan
  /// The consent that the plan was made with; it applies when the plan is applied.
  public var consent: PlanPolicy
  /// When the plan was made, in UTC as ISO 8601.
  public let createdAt: String
  /// The version of the library that made it.
  public let library: String
  /// The schema that the plan leads to.
  package internal(set) var target: SavedTarget
  /// The objects that the file had, each with a fingerprint of its own.
  package let sourceObjects: [SourceObject]

  /// An object of the file that a plan was made for.
  package struct SourceObject: Sendable, Hashable, Codable {
    package var kind: ObjectReference.Kind
    package var name: String
    package var fingerprint: String
  }

  package init(
    plan: MigrationPlan, consent: PlanPolicy, createdAt: String, library: String = SchemaKitVersion.current,
    target: SavedTarget, sourceObjects: [SourceObject]
  ) {
    // They are computed anew when the plan is applied.
    var plan = plan
    plan.renames = SchemaRenames()
    plan.formChanges = [:]
    plan.keptValues = []
    plan.filledColumns = []
    plan.idleHints = []
    plan.impacts = []
    plan.scriptConditions = ScriptConditions()
    for index in plan.steps.indices {
      plan.steps[index].canViolateReferences = true
      plan.steps[index].dropsColumns = false
      plan.steps[index].holdsForAnyRows = false
      plan.steps[index].dropsReferencedTable = false
      plan.steps[index].copiedChildren = []
      plan.steps[index].updatedChildren = []
      plan.steps[index].createdIndexes = []
      plan.steps[index].convertsValues = false
      plan.steps[index].refusedRows = []
    }
    self.plan = plan
    self.consent = consent
    self.createdAt = createdAt
    self.library = library
    self.target = target
    self.sourceObjects = sourceObjects
  }

  /// Saves a plan.
  ///
  /// - Parameters:
  ///   - source: The schema of the file that the plan was made for.
  ///   - target: The schema that it leads to.
  ///   - ignored: The patterns of names that are ignored on either side.
  package init(
    _ plan: MigrationPlan, from source: DatabaseSchema, to target: TargetSchema, ignored: [String] = [],
    isOrderStrict: Bool = false, consent: PlanPolicy, createdAt: String
  ) {
    self.init(
      plan: plan, consent: consent, createdAt: createdAt,
      target: SavedTarget(
        name: target.name, statements: target.schema.creationStatements, hints: target.hints,
        ownsWholeFile: target.ownsWholeFile, digest: target.digest, ignored: ignored, isOrderStrict: isOrderStrict),
      sourceObjects: SourceObject.all(of: source))
  }

  /// Takes other hazards into the plan, such as those of all files that it is for.
  mutating func replaceHazards(with hazards: [Hazard]) { plan.hazards = hazards }

  /// The engine that the plan is for; nil for the one that it was made on.
  package var profile: EngineProfile.Name? { plan.profile?.name }

  /// True if a different order of columns counts as a difference.
  package var isOrderStrict: Bool { target.isOrderStrict }

  /// The names of the data steps in the plan, which only the program that declares them can do.
  public var dataSteps: [String] { plan.steps.filter { $0.strategy.isProgramWork }.map(\.object.name.text) }

  /// True if the plan leads to a declared schema, and for the program of that name.
  package func leads(to target: TargetSchema) -> Bool {
    self.target.name == target.name && target.isKnown(as: plan.targetFingerprint)
  }
}

/// The schema that a saved plan leads to: enough to declare it again.
package struct SavedTarget: Sendable, Hashable {
  /// The name of the schema in the ledger.
  package var name: String
  /// The statements that create its objects.
  package var statements: [String]
  package var hints: MigrationHints
  package var ownsWholeFile: Bool
  /// A digest of the declaration's text, so that a program finds its own declaration applied.
  package var digest: String
  /// The patterns of names that are ignored on either side.
  package var ignored: [String]
  package var isOrderStrict: Bool

  package init(
    name: String, statements: [String], hints: MigrationHints, ownsWholeFile: Bool, digest: String,
    ignored: [String], isOrderStrict: Bool
  ) {
    self.name = name
    self.statements = statements
    self.hints = hints
    self.ownsWholeFile = ownsWholeFile
    self.digest = digest
    self.ignored = ignored
    self.isOrderStrict = isOrderStrict
  }
}

extension SavedPlan.SourceObject {
  /// Every object of a schema with the fingerprint that it would have as the only one.
  static func all(of schema: DatabaseSchema) -> [SavedPlan.SourceObject] {
    func object(_ kind: ObjectReference.Kind, _ name: SQLName, _ fill: (inout DatabaseSchema) -> Void)
      -> SavedPlan.SourceObject
    {
      var single = DatabaseSchema()
      fill(&single)
      return SavedPlan.SourceObject(
        kind: kind, name: name.text, fingerprint: String(Fingerprint.of(single).prefix(16)))
    }
    return schema.tables.values.map { table in object(.table, table.name) { $0.tables[table.name] = table } }
      + schema.virtualTables.values.map { table in
        object(.table, table.name) { $0.virtualTables[table.name] = table }
      }
      + schema.indexes.values.map { index in object(.index, index.name) { $0.indexes[index.name] = index } }
      + schema.views.values.map { view in object(.view, view.name) { $0.views[view.name] = view } }
      + schema.triggers.values.map { trigger in
        object(.trigger, trigger.name) { $0.triggers[trigger.name] = trigger }
      }
  }
}

extension MigrationPlan {
  /// Removes the keys of rows: a plan for an encrypted database is saved in a file that is not.
  package mutating func removeSamples() {
    for index in hazards.indices { hazards[index].samples = [] }
  }
}
