/// A file that is stored beside the database under an id, and removed when no row names it any more.
///
/// A model names one in a column, or several in a `Codable` value that is an ``AttachmentHolder``:
///
/// ```swift
/// struct Photo: Model {
///   let id: Int64?
///   var image: Attachment
///   …
/// }
/// ```
public struct Attachment: Sendable, Hashable {
  /// The name of the file in the folder of the attachments.
  public let id: String

  /// Names an attachment that was stored before.
  public init(id: String) { self.id = id }
}

/// A value of a column that names attachments.
public protocol AttachmentHolder {
  /// The attachments that the value names.
  var attachments: [Attachment] { get }
}

extension Attachment: AttachmentHolder {
  public var attachments: [Attachment] { [self] }
}

extension Optional: AttachmentHolder where Wrapped: AttachmentHolder {
  public var attachments: [Attachment] { self?.attachments ?? [] }
}

extension Array: AttachmentHolder where Element: AttachmentHolder {
  public var attachments: [Attachment] { flatMap(\.attachments) }
}

extension Attachment: ColumnValue {
  public static var columnType: ColumnType { .text }

  public init(sqlValue: SQLValue) throws {
    guard case .text(let id) = sqlValue else { throw ColumnValueError(expected: "Attachment", found: sqlValue) }
    self.init(id: id)
  }

  public func sqlValue() throws -> SQLValue { .text(id) }
}

extension Attachment: Codable {
  public init(from decoder: any Decoder) throws { id = try decoder.singleValueContainer().decode(String.self) }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }
}

/// Finds the attachments that a stored value names.
enum AttachmentNames {
  /// How to read the names of a type's stored values; nil for a type that never names any.
  static func reader<Value: ColumnValue>(for type: Value.Type) -> (@Sendable (SQLValue) throws -> [Attachment])? {
    guard type is any AttachmentHolder.Type else { return nil }
    return { stored in (try Value(sqlValue: stored) as? any AttachmentHolder)?.attachments ?? [] }
  }
}
