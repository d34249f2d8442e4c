import SchemaKit
import SchemaKitOperations

/// Swift names for the names of a schema: the same for the same schema, and never two alike.
struct SwiftNames {
  private var used: Set<String>

  init(reserving used: Set<String> = []) { self.used = used }

  /// A type for the rows of a table: `order_items` is `OrderItem`.
  mutating func type(for table: String) -> String {
    let words = Self.words(of: table)
    var name = words.dropLast().map(Self.capitalized).joined()
    name += words.last.map { Self.capitalized(Self.singular($0)) } ?? "Unnamed"
    name = Self.mended(name)
    return unique(Self.reservedTypes.contains(name) || Self.ownWords.contains(name) ? name + "Row" : name)
  }

  /// A property for a column: `author_id` is `authorID`. A keyword is in backticks.
  mutating func property(for column: String, at position: Int) -> String {
    let words = Self.words(of: column)
    guard let first = words.first else { return unique("column\(position + 1)") }
    let isInCapitals = first.uppercased() == first
    let start = isInCapitals ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
    let mended = Self.mended(start + words.dropFirst().map(Self.capitalized).joined())
    let name = unique(Self.ownWords.contains(mended) ? mended + "_" : mended)
    return Self.keywords.contains(name) ? "`\(name)`" : name
  }

  /// The name itself, or with the first number that makes it another than those before.
  private mutating func unique(_ name: String) -> String {
    var candidate = name
    var number = 2
    while !used.insert(candidate).inserted {
      candidate = name + (name.last?.isNumber == true ? "_" : "") + "\(number)"
      number += 1
    }
    return candidate
  }

  /// A name that begins as a name of Swift may.
  private static func mended(_ name: String) -> String {
    name.unicodeScalars.first?.properties.isXIDStart == true ? name : "_" + name
  }
}

// MARK: - Words

extension SwiftNames {
  /// The words of a name: separated by characters that Swift names cannot contain, by underscores, and at capitals.
  private static func words(of name: String) -> [String] {
    let scalars = Array(name.unicodeScalars)
    let isShouted = !scalars.contains { $0.properties.isLowercase }
    var words: [String] = []
    var word = ""
    func end() {
      if !word.isEmpty { words.append(isShouted ? word.lowercased() : word) }
      word = ""
    }
    for (index, scalar) in scalars.enumerated() {
      guard scalar != "_", scalar.properties.isXIDContinue else {
        end()
        continue
      }
      if scalar.properties.isUppercase, index > 0 {
        let follows = scalars[index - 1].properties.isLowercase
        // The last capital of several begins the next word: URLText is URL and Text.
        let precedes = index + 1 < scalars.count && scalars[index + 1].properties.isLowercase
        if follows || (precedes && scalars[index - 1].properties.isUppercase) { end() }
      }
      word.unicodeScalars.append(scalar)
    }
    end()
    return words
  }

  private static func capitalized(_ word: String) -> String {
    ["id", "url", "uuid"].contains(word.lowercased())
      ? word.uppercased() : word.prefix(1).uppercased() + word.dropFirst()
  }

  /// The word without the s of a plural, where that is all there is to it: `categories`, `boxes` and `status` stay.
  private static func singular(_ word: String) -> String {
    let folded = word.lowercased()
    let unclear = [
      "as", "ches", "ies", "is", "lens", "news", "oes", "os", "series", "ses", "shes", "species", "ss", "trices", "us",
      "ves", "xes", "zes", "dices", "tices",
    ]
    guard folded.count > 3, folded.hasSuffix("s"), !unclear.contains(where: { folded.hasSuffix($0) }) else {
      return word
    }
    return String(word.dropLast())
  }
}

// MARK: - Lists

extension SwiftNames {
  /// Words that Swift accepts as names only in backticks.
  private static let keywords: Set<String> = [
    "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
    "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in",
    "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
    "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while", "Any",
  ]

  /// Words that mean something else after a point or in a model, in backticks or not.
  private static let ownWords: Set<String> = ["init", "self", "Self", "Type", "Protocol", "table"]

  /// Types that a file of models uses, and those that it would hide from the program around it.
  static let reservedTypes: Set<String> = [
    // Swift and Foundation
    "Any", "AnyObject", "Array", "Bool", "CaseIterable", "Character", "Codable", "Comparable", "Data", "Date",
    "Decimal",
    "Dictionary", "Double", "Equatable", "Error", "FileManager", "Float", "Foundation", "Hashable", "Identifiable",
    "Int", "Int16",
    "Int32", "Int64", "Int8", "Locale", "Never", "Optional", "Process", "Range", "Result", "Sendable", "Sequence",
    "Set",
    "String", "Substring", "Task", "TimeZone", "UInt", "UInt16", "UInt32", "UInt64", "UInt8", "URL", "UUID", "Void",
    // SwiftUI
    "Button", "Color", "Font", "Form", "Group", "Image", "Label", "Link", "List", "Menu", "Section", "State", "Table",
    "Text",
    "View",
    // SchemaKit
    "AmbiguousRename", "ApplyError", "ApplyProgress", "ApplyReport", "Assignment", "Association", "ModelTree",
    "AttachmentHolder",
    "AttachmentReport", "AttachmentStore", "BackupPolicy", "BackupProgress", "ChangeObservation", "ChildPolicy",
    "Collation", "Contraction", "ExpandObstacle", "MigrationPhase", "OtherNameError", "StoredSchema", "TableColumns",
    "Fleet", "FleetCensus", "FleetCopies", "FleetError", "FleetFiles", "FleetOptions", "FleetPlan", "FleetProblem",
    "FleetRefusal", "FleetReport", "FleetRollout", "FleetState", "FleetUndo",
    "Column", "ColumnBuilder", "ColumnCoding", "ColumnGroup", "ColumnHints", "ColumnType", "ColumnValue",
    "ColumnValueError", "Columns", "Configuration", "ConflictClause", "Constraint", "ConstraintBuilder", "DataStep",
    "DataStepHint", "Database", "DatabaseServer", "DeclarationError", "DeclaredDataStep", "DeclaredRecordedWork",
    "DeclaredStatement",
    "Deferrability", "EncryptionKey", "Field", "Fields", "FileAttachment", "Filter", "ForeignKeyAction", "Fragment",
    "FragmentFields",
    "GeneratedColumnKind", "Grouping", "Hazard", "HazardClass", "HazardCode", "HistoryEntry", "HistoryError", "Index",
    "IndexBuilder", "IndexTerm", "InterruptHandle", "IntrospectionError", "JSONColumnValue", "KeptData",
    "MigrationCost", "MigrationFolderError", "MigrationHints", "MigrationPlan", "MigrationStep", "MigrationUndo",
    "Model", "ModelSchema", "ModelSchemaBuilder", "ModelTable", "OpenParameters",
    "OptionalFragmentFields", "Ordering", "Page", "PageCursor", "PlanError",
    "PlanImpact",
    "PlanPolicy", "PlanReportFormat", "PlannedStatement", "PreparedStatement", "Reader", "RecordChange",
    "RecordChangeKind", "RecordError",
    "RecordKey", "RecordKeys", "RecordReader", "RecordStore", "RecordWriter", "RecordedMigrations", "RemoteDatabase",
    "RemoteError",
    "ObjectReference", "PlanCode", "PlannedChange", "SchemaEdit", "Rejection", "Motive", "RecordedMigrationReport",
    "RecordedWork",
    "RowDecodable", "RowEncodable",
    "RowReader", "RowStream", "SearchMatch", "SearchModule", "SearchText", "ValueStream", "ObservedValue", "RowValue",
    "RowWriter", "SQL", "SQLCollation", "SQLConnection", "SQLFunction", "SQLName", "SQLObject", "SQLQuoting", "SQLRow",
    "SQLTrace", "SQLValue", "SQLView",
    "SQLiteConnection", "SQLiteConnectionError", "SQLiteError", "SQLiteVersion", "SavePolicy", "SavedPlan",
    "SavedPlanError", "SchemaDeclaration", "SchemaError", "SchemaInspector", "SchemaKit", "SchemaKitVersion",
    "ServerConnection", "ServerOptions", "ServerToken", "SchemaRules", "Session", "SortDirection", "MigrationError",
    "StrategyChoice",
    "TableHints", "TextColumnValue", "TextMatch",
    "TransactionKind",
    "Trigger", "TriggerBuilder", "VerificationLevel", "VirtualTable", "WriteResult",
  ]
}
