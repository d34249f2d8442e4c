/// The version of this library.
public enum SchemaKitVersion {
  /// The version, as the change log numbers it.
  public static let current = "0.1.0"
}
