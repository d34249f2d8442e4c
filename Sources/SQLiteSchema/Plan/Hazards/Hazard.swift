/// Something that a plan could lose or break, counted on the actual rows.
public struct Hazard: Sendable, Hashable {
  /// The permanent code.
  public var code: HazardCode
  /// The affected table, view or trigger.
  public var table: String
  /// The affected column, if any.
  public var column: String?
  /// The number of affected rows or values; nil if they were not counted.
  public var count: Int?
  /// Keys of some of these rows, at most ten.
  public var samples: [String]
  /// The cause, with the values that its sentences need.
  package var cause: HazardCause
  /// True if the rows were examined for it; if not, it is unknown whether any are affected.
  public var isCounted = true
  /// True if the declaration itself consents.
  public var isConsentedByDeclaration = false
  /// True if rows elsewhere could be affected although none here are.
  public var isPotential = false
  /// True if the declared schema itself is at fault: a new database created from it would have the same failing view,
  /// trigger or write.
  public var isDeclaredFault = false
  /// True if this is for information only, whatever the class of its code.
  public var isNote: Bool

  /// True if the plan is recorded for databases whose rows are examined later.
  package var isForRecording = false
  /// True if the plan undoes a change.
  package var isUndo = false
  /// The fate of the dropped rows or values, in a plan that keeps those that it can.
  package var keeping: Keeping?
  /// The views and triggers of the file that need what the hazard is about and stay as they are.
  package var readers: [PlanImpact] = []

  /// The fate of dropped rows and values.
  package enum Keeping: Sendable, Hashable {
    /// They are kept in a table of this library, and undo brings them back.
    case kept(storage: SQLName)
    /// They cannot be kept.
    case notKept
  }

  package init(
    _ code: HazardCode, table: SQLName, column: SQLName? = nil, count: Int? = nil, samples: [String] = [],
    cause: HazardCause, isNote: Bool = false
  ) {
    self.code = code
    self.table = table.text
    self.column = column?.text
    self.count = count
    self.samples = samples
    self.cause = cause
    self.isNote = isNote
  }
}

extension Hazard {
  /// The class that decides whether consent is required: a hazard that affects no rows here is a note.
  public var hazardClass: HazardClass { isPotential || isNote ? .note : ownClass }

  /// The class of a hazard that is active.
  package var ownClass: HazardClass { isDeclaredFault ? .fault : code.hazardClass }

  /// The affected rows, as text, with the keys of the first ones; empty if none were counted.
  package var rowsInWords: String {
    var words = isCounted ? "" : ", not counted"
    if let count, count > 0 { words += ", \(count.counted("row"))" }
    guard !samples.isEmpty else { return words }
    // Ten keys are as many as were looked up; there may be more.
    let isCut = samples.count >= 10 && (count ?? 0) > samples.count
    let keys = Wording.excerpt(samples, of: samples.count + (isCut ? 1 : 0))
    return words + " (\(samples.count == 1 ? "key" : "keys") \(keys))"
  }

  /// The object as `--allow` names it: `table` or `table.column`.
  public var object: String { column.map { "\(table).\($0)" } ?? table }
}
