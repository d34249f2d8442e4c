/// A file that is stored beside the database under an id, and removed when no row refers to it any more.
///
/// A model refers to one in a column, or to several in a `Codable` value that is an ``AttachmentHolder``:
///
/// ```swift
/// struct Photo: Model {
///   let id: Int64?
///   var image: FileAttachment
///   …
/// }
/// ```
public struct FileAttachment: Sendable, Hashable {
  /// The name of the file in the attachment folder.
  public let id: String

  /// Refers to an attachment that was stored before.
  public init(id: String) { self.id = id }
}

/// A value of a column that refers to attachments.
public protocol AttachmentHolder {
  /// The attachments that the value refers to.
  var attachments: [FileAttachment] { get }
}

extension FileAttachment: AttachmentHolder {
  public var attachments: [FileAttachment] { [self] }
}

extension Optional: AttachmentHolder where Wrapped: AttachmentHolder {
  public var attachments: [FileAttachment] { self?.attachments ?? [] }
}

extension Array: AttachmentHolder where Element: AttachmentHolder {
  public var attachments: [FileAttachment] { flatMap(\.attachments) }
}

extension FileAttachment: ColumnValue {
  public static var columnType: ColumnType { .text }

  public init(sqlValue: SQLValue) throws {
    guard case .text(let id) = sqlValue else { throw ColumnValueError(expected: "FileAttachment", found: sqlValue) }
    self.init(id: id)
  }

  public func sqlValue() throws -> SQLValue { .text(id) }
}

extension FileAttachment: Codable {
  public init(from decoder: any Decoder) throws { id = try decoder.singleValueContainer().decode(String.self) }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }
}

/// Finds the attachments that a stored value refers to.
enum AttachmentNames {
  /// Returns a function that reads the attachments of a type's stored values; nil for a type that never refers to any.
  static func reader<Value: ColumnValue>(for type: Value.Type) -> (@Sendable (SQLValue) throws -> [FileAttachment])? {
    guard type is any AttachmentHolder.Type else { return nil }
    return { stored in (try Value(sqlValue: stored) as? any AttachmentHolder)?.attachments ?? [] }
  }
}
