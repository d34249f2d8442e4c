import SchemaKitFoundation

/// The models of a program, with the views and triggers that belong to them.
///
/// ```swift
/// let schema = ModelSchema(removing: ["drafts"]) {
///   Note.self
///   Author.self
///   SQLView("recent", sql: "SELECT * FROM notes ORDER BY modified DESC LIMIT 10")
/// }
/// ```
public struct ModelSchema: Sendable {
  /// The name of the schema in the ledger, so that two schemas can share a file.
  public let name: String
  let removedTables: [String]
  let rules: SchemaRules
  let elements: [Element]
  /// The declaration, once it has been computed.
  let known = KnownDeclaration()

  /// An entry in the braces of a schema.
  public enum Element: Sendable {
    /// A model and its table.
    case model(any Model.Type)
    /// A view.
    case view(SQLView)
    /// A trigger on a table or a view.
    case trigger(Trigger)
    /// A virtual table.
    case virtualTable(VirtualTable)
    /// An object given as its statement.
    case object(SQLObject)
    /// Work on the rows that is done once in each file.
    case dataStep(any DeclaredDataStep)
    /// Work on the rows that recorded migrations refer to.
    case recordedWork(any DeclaredRecordedWork)
  }

  /// Declares a schema.
  ///
  /// - Parameters:
  ///   - name: The name of the schema in the ledger.
  ///   - removedTables: Tables of older files that may be dropped with everything they hold.
  ///   - rules: Rules that the schema keeps beyond those of SQLite, such as `.synchronised`.
  ///   - elements: The models, as `Note.self`, and the views, triggers and virtual tables.
  public init(
    name: String = "main",
    removing removedTables: [String] = [],
    rules: SchemaRules = [],
    @ModelSchemaBuilder elements: () -> [Element]
  ) {
    self.init(name: name, removing: removedTables, rules: rules, elements: elements())
  }

  init(name: String, removing removedTables: [String], rules: SchemaRules, elements: [Element]) {
    self.name = name
    self.removedTables = removedTables
    self.rules = rules
    self.elements = elements
  }
}

/// Work on the rows declared in a schema; see `DataStep`.
public protocol DeclaredDataStep: Sendable {
  /// The facts that a plan must know about it.
  var hint: DataStepHint { get }
}

/// Work on the rows that recorded migrations refer to; see `RecordedWork`.
public protocol DeclaredRecordedWork: Sendable {
  /// The name that a recorded step calls it by.
  var name: String { get }
}

/// The declaration of one schema, which is checked and written once, however many files are opened with it.
///
/// It has identity because all copies of the schema share it.
final class KnownDeclaration: @unchecked Sendable {
  // `lock` guards the variables.
  private let lock = Lock()
  private var value: SchemaDeclaration?
  private var digest: String?
  private var namesAttachments: Bool?

  /// Returns the declaration, computed on first use; a mistake is found again each time.
  func declaration(
    _ make: () throws(DeclarationError) -> SchemaDeclaration
  ) throws(DeclarationError) -> SchemaDeclaration {
    if let value = lock.withLock({ value }) { return value }
    let made = try make()
    lock.withLock { value = made }
    return made
  }

  /// Returns the declaration's digest, computed on first use.
  func digest(_ make: () -> String) -> String {
    lock.withLock {
      let known = digest ?? make()
      digest = known
      return known
    }
  }

  /// Returns whether a column holds attachments, determined on first use.
  func namesAttachments(_ make: () -> Bool) -> Bool {
    lock.withLock {
      let known = namesAttachments ?? make()
      namesAttachments = known
      return known
    }
  }
}

extension ModelSchema {
  /// The work on the rows, in the order of the declaration.
  var dataSteps: [any DeclaredDataStep] {
    elements.compactMap { if case .dataStep(let step) = $0 { step } else { nil } }
  }

  /// The work that recorded migrations may refer to.
  var recordedWorks: [any DeclaredRecordedWork] {
    elements.compactMap { if case .recordedWork(let work) = $0 { work } else { nil } }
  }

  /// True if a column of a model holds attachments.
  var namesAttachments: Bool {
    known.namesAttachments {
      models.contains { model in TableDeclaration(model).columns.contains { $0.attachments != nil } }
    }
  }

  /// The models, in the order of the declaration.
  var models: [any Model.Type] {
    elements.compactMap { if case .model(let model) = $0 { model } else { nil } }
  }
}

/// Collects the models and other objects in the braces of a schema.
@resultBuilder
public enum ModelSchemaBuilder {
  public static func buildExpression<M: Model>(_ model: M.Type) -> ModelSchema.Element { .model(model) }
  public static func buildExpression(_ view: SQLView) -> ModelSchema.Element { .view(view) }
  public static func buildExpression(_ trigger: Trigger) -> ModelSchema.Element { .trigger(trigger) }
  public static func buildExpression(_ table: VirtualTable) -> ModelSchema.Element { .virtualTable(table) }
  public static func buildExpression(_ object: SQLObject) -> ModelSchema.Element { .object(object) }
  public static func buildExpression(_ step: some DeclaredDataStep) -> ModelSchema.Element { .dataStep(step) }
  public static func buildExpression(_ work: some DeclaredRecordedWork) -> ModelSchema.Element { .recordedWork(work) }
  public static func buildBlock(_ elements: ModelSchema.Element...) -> [ModelSchema.Element] { elements }
}
