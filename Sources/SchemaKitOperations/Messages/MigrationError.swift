/// A database to which recorded steps must not be applied.
public struct MigrationError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The reason the steps cannot be applied.
  public enum Reason: Sendable, Equatable {
    /// A step was changed after it was applied to the database.
    case changed(String)
    /// The database has a step that the folder lacks.
    case unknown(String)
    /// The database has a later step than one that it lacks.
    case outOfOrder(missing: String, applied: String)
    /// The database has a step that the folder has under another number and with different SQL, since branches were
    /// merged.
    case recordedAnew(String, has: String)
    /// The database has a step under the number that it had on a branch, and must not get the steps that now come
    /// before it afterwards.
    case renumbered(String, was: String, missing: [String], because: String)
    /// The database's schema is not the one that the last step left; the differences, one phrase per object.
    case drifted(after: String, objects: [String])
    /// The database has tables but no record of steps; the step whose schema it has, if there is one.
    case notBaselined(fitting: String?)
    /// The database's schema is not that of the step it is recorded to have.
    case otherSchema(step: String, objects: [String])
    /// Another program applied the step meanwhile.
    case overtaken(String)
    /// The database has some of the steps that a squashed one replaces.
    case partlyReplaced(step: String, has: String, needs: [String])
    /// A missing step changes something that is ignored, so that it could only be applied in part.
    case ignored(step: String, objects: [String])
    /// A step runs work in Swift that the program does not have.
    case unknownWork(String, source: String)
    /// Steps are missing, and the file is opened read-only.
    case isReadOnly(missing: [String])
    /// After the last step, the database does not have the schema of the models.
    case otherModels(last: String, objects: [String])
  }

  /// The reason the steps cannot be applied.
  public let reason: Reason

  package init(_ reason: Reason) { self.reason = reason }

  public var description: String {
    switch reason {
    case .changed(let step):
      "Step \(step) was changed after this database got it. Revert the change and record another step. Nothing was "
        + "changed."
    case .unknown(let step):
      "The database has step \(step), which this folder lacks: it comes from newer or other migrations. Nothing was "
        + "changed; use the folder that has it."
    case .outOfOrder(let missing, let applied):
      "Step \(missing) is missing, but the database has \(applied) already, which was recorded after it. Put the newer "
        + "one last with schemactl migrations rebase. Nothing was changed."
    case .recordedAnew(let step, let has):
      "The database has step \(has), and this folder has \(step) with different contents: it was recorded again "
        + "when branches met, or \(has) comes from another folder. Nothing was changed. Where \(has) is the last change "
        + "of schemactl history, schemactl undo undoes it, and apply does \(step) then; otherwise use the folder that "
        + "has it."
    case .renumbered(let step, let was, let missing, let reason):
      "The database got step \(step) as \(was), before \(missing.joined(separator: ", ")), which it lacks: \(reason). "
        + "Nothing was changed. Take it back with schemactl undo, then apply."
    case .drifted(let step, let objects):
      "The database is not as step \(step) left it: \(objects.joined(separator: ", ")). Nothing was changed. Take that "
        + "back, or ignore objects that are not yours. Where no step is missing it can be kept: record it "
        + "with schemactl migrations new NAME --to DATABASE, and note that with schemactl migrations baseline DATABASE."
    case .notBaselined(let step?):
      "The database has tables and no record of migrations. Its schema is that of step \(step): say so with schemactl "
        + "migrations baseline --at \(step). Nothing was changed."
    case .notBaselined(nil):
      "The database has tables and no record of migrations, and its schema is not that of any step. Nothing was changed. "
        + "Compare with schemactl diff; bring it to a step with schemactl apply --to, then schemactl migrations baseline."
    case .otherSchema(let step, let objects):
      "The database does not have the schema of step \(step): \(objects.joined(separator: ", ")) \(objects.count == 1 ? "differs" : "differ"). "
        + "Nothing was changed; compare with schemactl diff, or name another step."
    case .overtaken(let step):
      "Another program has applied step \(step) meanwhile. Nothing was changed; run this again to apply what is missing."
    case .partlyReplaced(let step, let has, let needs):
      "The database has \(has), one of the steps that \(step) stands for, and lacks \(needs.joined(separator: ", ")). "
        + "Apply what is missing with the folder as it was before the squash first. Nothing was changed."
    case .ignored(let step, let objects):
      "Step \(step) changes objects that are ignored: \(objects.joined(separator: ", ")). It would count as applied and "
        + "be done in part. Nothing was changed. Apply it while fewer objects are ignored."
    case .unknownWork(let name, let source):
      "\(source) runs \(name), work in Swift that this program does not have. Nothing of the step was changed; apply it "
        + "with the program whose schema has RecordedWork(\"\(name)\")."
    case .isReadOnly(let missing):
      "The database lacks \(missing.count == 1 ? "step" : "steps") \(missing.joined(separator: ", ")), and it is open for "
        + "reading only. Nothing was changed."
    case .otherModels(let last, let objects):
      "With every recorded step up to \(last), the database still differs from the models in "
        + "\(objects.joined(separator: ", ")). Record the next step with schemactl migrations new, and ship it."
    }
  }
}
