/// The version of this library.
public enum SchemaKitVersion {
  /// The version number used in the change log.
  public static let current = "0.1.0"
}
