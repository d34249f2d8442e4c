import Foundation
import SchemaKit

// More Swift of docs/records.md: how a database is opened, used in a loop and closed.

extension RecordExamples {
  static func configured(path: String) throws -> Session {
    let session = try Session(at: path, schema: schema) { configuration in
      configuration.functions = [
        SQLFunction("slug", isDeterministic: true) { (title: String) in title.lowercased() },
        .aggregate("longest", argumentCount: 1, initial: 0) { longest, values in
          longest = max(longest, values[0].text?.count ?? 0)
        } result: {
          .integer(Int64($0))
        },
      ]
      configuration.collations = [SQLCollation("length") { $0.count - $1.count }]
      configuration.trace = .statements { print($0.duration, $0.sql) }  // with question marks, not with values
      configuration.openParameters.mustExist = true
    }
    return session
  }

  static func preparing(_ session: Session, _ names: [String]) throws {
    try session.transaction {
      let insert = try session.prepare("INSERT INTO authors (name) VALUES (?)")
      for name in names { try insert.execute([name]) }
    }
  }

  static func encrypting(
    path: String, plain: String, encrypted: String, passphrase: String, randomBytes: [UInt8]
  ) throws {
    let key = try EncryptionKey(passphrase: passphrase)
    let session = try Session(at: path, schema: schema) { $0.key = key }
    try session.connection.changeKey(to: EncryptionKey(rawKey: randomBytes))  // in one transaction
    try SQLiteConnection(path: plain, mode: .readWrite).encryptedCopy(toNewFile: encrypted, key: key)
  }

  static func finishing(_ path: String, _ schema: ModelSchema) async throws {
    let db = try await Database(at: path, schema: schema) { $0.phase = .prepare }
    if let contraction = db.contraction {
      Task {
        for await step in contraction.progress { print(step.step.object, step.fraction ?? 0) }
        try await contraction.finish()
      }
    }
  }

  static func closing(_ db: Database) async throws {
    try await db.close()  // calls that run are waited for, later ones throw; Session.close() does the same
  }
}
