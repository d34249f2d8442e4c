/// A file that is stored beside the database under an id, and removed when no row names it any more.
///
/// A model names one in a column, or several in a `Codable` value that is an ``AttachmentHolder``:
///
/// ```swift
/// struct Photo: Model {
///   let id: Int64?
///   var image: FileAttachment
///   …
/// }
/// ```
public struct FileAttachment: Sendable, Hashable {
  /// The name of the file in the folder of the attachments.
  public let id: String

  /// Names an attachment that was stored before.
  public init(id: String) { self.id = id }
}

/// A value of a column that names attachments.
public protocol AttachmentHolder {
  /// The attachments that the value names.
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

/// Finds the attachments that a stored value names.
enum AttachmentNames {
  /// How to read the names of a type's stored values; nil for a type that never names any.
  static func reader<Value: ColumnValue>(for type: Value.Type) -> (@Sendable (SQLValue) throws -> [FileAttachment])? {
    guard type is any AttachmentHolder.Type else { return nil }
    return { stored in (try Value(sqlValue: stored) as? any AttachmentHolder)?.attachments ?? [] }
  }
}
