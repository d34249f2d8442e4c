import Foundation
import Testing

/// Whether the library below the tests gives every file a key, which they do not know of: `make matrix` says so.
enum EncryptedFiles {
  static let areOn = ProcessInfo.processInfo.environment["SCHEMAKIT_ENCRYPTED_FILES"] == "1"

  /// Skips the case of a test's arguments that is running, where every file is encrypted.
  static func skip(_ reason: Comment) throws {
    if areOn { try Engine.skip(reason) }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test that cannot hold where every file is encrypted.
  static func needsPlainFiles(_ reason: Comment) -> Self { .disabled(if: EncryptedFiles.areOn, reason) }
}
