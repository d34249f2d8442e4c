/// The state shared by the requests of one connection: the shapes of the models and the statements compiled for them.
///
/// It has identity because it belongs to one connection. Programs see it only as the shared base of ``RecordReader``
/// and ``RecordWriter``.
public final class RecordStore {
  let connection: SQLiteConnection
  /// The models whose tables were verified when the database was opened.
  private let known: Set<ObjectIdentifier>
  /// The columns of these that are not stored as their types say.
  lazy var codedColumns = CodedColumns(of: models)
  private let models: [any Model.Type]
  private var mappings: [ObjectIdentifier: AnyObject] = [:]
  /// The mapping that was asked for last, which is often asked for again.
  private var latest: (type: ObjectIdentifier, mapping: AnyObject)?
  /// The files that rows refer to; nil until they are needed.
  var attachments: AttachmentStore?
  /// The observers of changes; nil until there are any.
  var observers: ChangeObservers?
  /// The observers of values; nil until there are any.
  var valueObservers: ValueObservers?
  /// Notices commits of other connections; nil while nobody observes.
  var otherCommits: OtherCommits?
  /// The number of rows that had been changed when changes were last reported.
  var seenChanges = 0
  /// True if changes are being reported right now.
  var isFollowing = false

  init(_ connection: SQLiteConnection, models: [any Model.Type]) {
    self.connection = connection
    self.models = models
    known = Set(models.map { ObjectIdentifier($0) })
  }

  /// Returns the mapping that reads and writes a model's rows.
  func mapping<M: Model>(of type: M.Type) throws -> ModelMapping<M> {
    let identity = ObjectIdentifier(type)
    if let latest, latest.type == identity { return unsafeDowncast(latest.mapping, to: ModelMapping<M>.self) }
    let kept = mappings[identity].map { unsafeDowncast($0, to: ModelMapping<M>.self) }
    guard kept != nil || known.contains(identity) else { throw RecordError(.notInSchema(model: "\(M.self)")) }
    let mapping = try kept ?? ModelMapping(type, on: connection)
    mappings[identity] = mapping
    latest = (identity, mapping)
    return mapping
  }
}

/// A type that can fetch records.
public protocol RecordReader {
  /// The state shared by all requests.
  var store: RecordStore { get }
}

/// A type that can fetch and save records.
public protocol RecordWriter: RecordReader {}

extension RecordReader {
  /// The connection, for SQL of your own.
  public var connection: SQLiteConnection { store.connection }
}
