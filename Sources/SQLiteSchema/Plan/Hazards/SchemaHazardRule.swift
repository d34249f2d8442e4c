/// Decides from the schemas alone, whatever the rows are, whether there are hazards of one kind.
package protocol SchemaHazardRule: HazardWording {
  static func hazards(in change: ComparedSchemas) -> [Hazard]
}

/// The schemas before and after a plan.
package struct ComparedSchemas {
  package var source: DatabaseSchema
  package var target: DatabaseSchema
  /// The difference once the renames have been carried out.
  package var diff: SchemaDiff
  package var renames: SchemaRenames
  /// True if the plan undoes a change.
  package var isUndo = false
  /// The rules that the new schema keeps.
  package var rules: SchemaRules = []

  package init(
    source: DatabaseSchema, target: DatabaseSchema, diff: SchemaDiff, renames: SchemaRenames, isUndo: Bool = false
  ) {
    self.source = source
    self.target = target
    self.diff = diff
    self.renames = renames
    self.isUndo = isUndo
  }
}
