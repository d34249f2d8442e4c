/// The form in which a program stores and reads the values of a column: the Swift type, and its coding.
package struct ValueForm: Sendable, Hashable, Codable {
  /// The Swift type, without an optional around it.
  package var type: String
  /// The name of the coding; nil where values are stored as their type says.
  package var coding: String?
  /// Which values the type reads, and as what, where its name does not say so: cases, keys, samples.
  package var shape: String?

  package init(type: String, coding: String? = nil, shape: String? = nil) {
    self.type = type
    self.coding = coding
    self.shape = shape
  }

  /// The coding of a program's own.
  package static let ownCoding = "a coding of its own"

  /// True if every value that CAST makes for a column of an affinity can be read.
  package func readsAll(of affinity: Affinity) -> Bool {
    guard coding == nil, shape == nil else { return false }
    return affinity == .integer && ["Int", "Int64"].contains(type)
  }

  /// The form as people write it: `Date`, `Date as .iso8601`.
  package var words: String { coding.map { "\(type)\(Self.beforeCoding)\($0)" } ?? type }
}

/// The form that a program declares for a column.
package struct DeclaredForm: Sendable, Hashable {
  package var form: ValueForm
  /// The number by which SQL asks the program whether the type reads a value; nil where nobody can be asked.
  package var reader: Int?

  package init(_ form: ValueForm, reader: Int? = nil) {
    self.form = form
    self.reader = reader
  }

  /// The condition that the type does not read a value.
  package func unread(_ value: String) -> String? {
    reader.map { "\(FormChange.readsFunction)(\($0), \(value)) = 0" }
  }
}

/// A column of a file that is to have another form than its values have.
package struct FormChange: Sendable, Hashable {
  /// The treatment of the values.
  package enum Way: Sendable, Hashable {
    /// They are stored anew, and read as the same Swift values.
    case recode
    /// The declared conversion makes the new ones.
    case convert
    /// They stay, and another type reads them.
    case keep
    /// Nobody knows what they are in the new form.
    case unknown
  }
  /// The form that the values have.
  package var from: ValueForm
  package var to: ValueForm
  package var way: Way
  /// True if the form that they have is told by the values alone, because nobody has recorded it.
  package var isAssumed: Bool
  /// True if the column keeps its affinity, so that the definition does not tell the one form from the other.
  package var keepsType = false

  package init(from: ValueForm, to: ValueForm, way: Way, isAssumed: Bool = false) {
    self.from = from
    self.to = to
    self.way = way
    self.isAssumed = isAssumed
  }
}

// The functions by which SQL calls what Swift knows of codings.
extension FormChange {
  /// True if the type of a program reads a value: its number, the value.
  package static let readsFunction = "\"_schemakit_reads\""
  /// A value in the new form: the value, the forms.
  package static let recodeFunction = "\"_schemakit_recode\""
  /// The effect of recoding on a value: the value, the forms. See ``Effect``.
  package static let effectFunction = "\"_schemakit_recoding\""
  /// True if a value in the new form is what recoding makes of one in the old form: both, the forms.
  package static let isRecodedFunction = "\"_schemakit_recoded\""

  /// The effect of recoding on a value.
  package enum Effect: Int, Sendable {
    /// It reads as the same value.
    case exact = 0
    /// It reads as another value.
    case changes = 1
    /// It is not a value of the old form.
    case unread = 2
    /// The new form cannot store it.
    case unstorable = 3
  }

  private var forms: String {
    [from, to].map { SQLQuoting.literal($0.key) }.joined(separator: ", ")
  }

  /// The value of a row in the new form.
  package func recoded(_ value: String) -> String { "\(Self.recodeFunction)(\(value), \(forms))" }

  /// The condition that recoding does something to a value.
  package func has(_ effect: Effect, on value: String) -> String {
    "\(Self.effectFunction)(\(value), \(forms)) = \(effect.rawValue)"
  }

  /// The condition that a value in the new form is not what recoding makes of another.
  package func isNotRecoded(_ old: String, _ new: String) -> String {
    "\(Self.isRecodedFunction)(\(old), \(new), \(forms)) = 0"
  }
}

extension ValueForm {
  /// The form as a text that says all of it.
  package var key: String { words + (shape.map { Self.beforeShape + $0 } ?? "") }

  /// Reads such a text.
  package init(key: String) {
    let (head, shape) = Self.parts(of: key, at: Self.beforeShape)
    let (type, coding) = Self.parts(of: head, at: Self.beforeCoding)
    self.init(type: type, coding: coding, shape: shape)
  }

  private static let beforeCoding = " as "
  private static let beforeShape = " with "

  private static func parts(of text: String, at separator: String) -> (String, String?) {
    guard let place = text.firstRange(of: separator) else { return (text, nil) }
    return (String(text[..<place.lowerBound]), String(text[place.upperBound...]))
  }
}

extension MigrationHints {
  /// The columns that are to have another form, by their declared names.
  package var formChanges: [(table: SQLName, column: SQLName, change: FormChange)] {
    tables.flatMap { table, hints in hints.formChanges.map { (table: table, column: $0.key, change: $0.value) } }
      .sorted { ($0.table, $0.column) < ($1.table, $1.column) }
  }

  /// True if a column has another form.
  package var changesForms: Bool { tables.values.contains { !$0.formChanges.isEmpty } }
}
