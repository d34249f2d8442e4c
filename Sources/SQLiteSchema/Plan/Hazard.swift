/// Something that a plan could lose, break or hurt, counted on the real rows.
public struct Hazard: Sendable, Hashable, Codable {
  /// The permanent code.
  public var code: HazardCode
  /// The table, view or trigger concerned.
  public var table: String
  /// The column concerned, if it is one.
  public var column: String?
  /// How many rows or values are concerned; nil when that was not counted.
  public var count: Int?
  /// Keys of some of these rows, at most ten.
  public var samples: [String]
  /// What would happen, in a sentence.
  public var message: String
  /// What to do instead, in a sentence.
  public var remedy: String?
  /// Whether the rows were examined for it; without that, whether it concerns any is not known.
  public var isCounted = true
  /// Whether the declaration itself consents.
  public var isConsentedByDeclaration: Bool
  /// Whether rows elsewhere could be concerned although none here are.
  public var isPotential: Bool
  /// Whether the declared schema itself is at fault: a new database made of it would have the same failing view, trigger
  /// or write.
  public var isDeclaredFault: Bool {
    get { declaredFault ?? false }
    set { declaredFault = newValue ? true : nil }
  }
  /// Nil in plans that have no such hazard, among them those that were saved before there was any.
  private var declaredFault: Bool?
  /// Whether this is said for information only, whatever the class of its code.
  public var isNote: Bool

  package init(
    _ code: HazardCode, table: SQLName, column: SQLName? = nil, count: Int? = nil, samples: [String] = [],
    message: String, remedy: String? = nil, isConsentedByDeclaration: Bool = false, isPotential: Bool = false,
    isNote: Bool = false
  ) {
    self.code = code
    self.table = table.text
    self.column = column?.text
    self.count = count
    self.samples = samples
    self.message = message
    self.remedy = remedy
    self.isConsentedByDeclaration = isConsentedByDeclaration
    self.isPotential = isPotential
    self.isNote = isNote
  }
}

extension Hazard {
  /// The class that decides whether consent is needed here: a hazard that concerns no row here is a note.
  public var hazardClass: HazardClass { isPotential || isNote ? .note : ownClass }

  /// The class of a hazard that is active.
  package var ownClass: HazardClass { isDeclaredFault ? .fault : code.hazardClass }

  /// The rows concerned, in words, with the keys of the first of them; empty where none were counted.
  package var rowsInWords: String {
    guard isCounted else { return ", not counted" }
    guard let count, count > 0 else { return "" }
    guard !samples.isEmpty else { return ", \(count.counted("row"))" }
    let keys = samples.joined(separator: ", ") + (samples.count < count ? ", …" : "")
    return ", \(count.counted("row")) (key \(keys))"
  }

  /// The object as `--allow` names it: `table` or `table.column`.
  public var object: String { column.map { "\(table).\($0)" } ?? table }
}
