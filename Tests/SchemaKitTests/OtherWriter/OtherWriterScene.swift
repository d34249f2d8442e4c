import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// Files as another version of SQLite left them.
enum OtherWriterScene {
  static let engine = SQLiteVersion(number: Int((try? RawSQLite().rows("SELECT sqlite_version()"))?.number ?? 0))

  /// A version that computes something otherwise than the running one.
  static func version(differingIn difference: EngineDifference) throws -> SQLiteVersion {
    let known = [SQLiteVersion(3, 54, 1), SQLiteVersion(3, 33)]
    return try #require(known.first { EngineDifference.between($0, engine).contains(difference) })
  }

  /// An expression that gives a REAL's text as the other version has it.
  static func text(of column: String) -> String {
    "printf('%!.\(Engine.writesRealsWhole ? 15 : 17)g', \(column))"
  }

  /// Prices, two of which have another text in other versions, with an index that such a version has made.
  static func prices() throws -> TemporaryDatabase {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE m (id INTEGER PRIMARY KEY, price REAL, note TEXT);
      CREATE INDEX mt ON m ('p' || \(text(of: "price")));
      INSERT INTO m VALUES (1, 1234567890123456.7, 'x'), (2, 0.1 + 0.2, 'y'), (3, 0.5, 'z');
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = 'CREATE INDEX mt ON m (''p'' || price)' WHERE name = 'mt';
      """)
    try file.setLastWriter(version(differingIn: .realsAsText))
    return file
  }

  /// What the schema of `prices()` is declared as, with more.
  static func priceSchema(_ columns: String = "", _ rest: String = "") -> String {
    "CREATE TABLE m (id INTEGER PRIMARY KEY, price REAL, note TEXT\(columns)); CREATE INDEX mt ON m ('p' || price); \(rest)"
  }
}

extension [[RawValue]] {
  /// The number of a version in the first value.
  fileprivate var number: Int64? {
    guard let parts = first?.first?.string?.split(separator: ".").compactMap({ Int64($0) }), parts.count == 3 else {
      return nil
    }
    return parts[0] * 1_000_000 + parts[1] * 1000 + parts[2]
  }
}

extension TemporaryDatabase {
  /// Writes into the header which SQLite wrote the file last. Every commit that changes the first page writes it anew.
  func setLastWriter(_ version: SQLiteVersion) throws {
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try handle.seek(toOffset: 96)
    try handle.write(contentsOf: withUnsafeBytes(of: UInt32(version.number).bigEndian) { Data($0) })
    try handle.close()
  }
}
