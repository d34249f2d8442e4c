import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("A file of SQLite.swift")
struct SQLiteSwiftFileTests {
  /// Identifiers are quoted; dates are texts in UTC without a zone, UUIDs texts in upper case; what is `Codable` is JSON,
  /// an enumeration too, and so in quotes. The app counts its own versions in `user_version`.
  private func file() throws -> TemporaryDatabase {
    try TemporaryDatabase(
      """
      CREATE TABLE "users" ("id" TEXT PRIMARY KEY NOT NULL, "email" TEXT NOT NULL, "isActive" INTEGER NOT NULL,
        "joined" TEXT NOT NULL, "role" TEXT NOT NULL, "settings" TEXT);
      CREATE INDEX "index_users_on_email" ON "users" ("email");
      CREATE TABLE "posts" ("id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, "author" TEXT NOT NULL REFERENCES "users"
        ("id") ON DELETE CASCADE, "score" REAL NOT NULL DEFAULT (0.0));
      CREATE TABLE "audit" ("what" TEXT);
      INSERT INTO "users" VALUES ('6BA7B810-9DAD-11D1-80B4-00C04FD430C8', 'ann@example.org', 1,
        '2016-03-03T10:13:20.125', '"admin"', '{"theme":"dark","size":14}');
      INSERT INTO "users" VALUES ('6BA7B811-9DAD-11D1-80B4-00C04FD430C8', 'bob@example.org', 0,
        '1969-12-31T23:59:59.000', '"guest"', NULL);
      INSERT INTO "posts" VALUES (3, '6BA7B810-9DAD-11D1-80B4-00C04FD430C8', 2.5);
      INSERT INTO "audit" VALUES ('x');
      PRAGMA user_version = 7;
      """)
  }

  private let schema = ModelSchema {
    User.self
    Post.self
  }

  private let users = [
    User(
      id: UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8") ?? UUID(), email: "ann@example.org",
      isActive: true, joined: Date(timeIntervalSince1970: 1_457_000_000.125), role: .admin,
      settings: Settings(theme: "dark", size: 14)),
    User(
      id: UUID(uuidString: "6BA7B811-9DAD-11D1-80B4-00C04FD430C8") ?? UUID(), email: "bob@example.org",
      isActive: false, joined: Date(timeIntervalSince1970: -1), role: .guest, settings: nil),
  ]

  @Test("declared as it is, it needs no change: its index, its quoted names and its user_version are known or left")
  func adopts() throws {
    let file = try file()
    let plan = try file.plan(to: schema)
    #expect(plan.isEmpty)
    #expect(plan.unmanaged == ["audit"])
    let session = try Session(at: file.path, schema: schema)
    #expect(session.outcome == .baselined)
    #expect(try file.value("PRAGMA user_version") == .int(7))
    #expect(try file.query("SELECT * FROM audit") == [[.text("x")]])
  }

  @Test("every value loads: UUIDs, booleans, dates before and after 1970, enumerations and JSON")
  func loads() throws {
    let file = try file()
    let session = try Session(at: file.path, schema: schema)
    #expect(try session.all(User.self, orderBy: { [$0.email.ascending] }) == users)
    #expect(try session.find(User.self, users[0].id) == users[0])
    #expect(try session.all(User.self, where: { $0.role == .guest }) == [users[1]])
    let families = try session.all(User.self, with: Post.self, orderBy: { [$0.email.ascending] })
    #expect(families.map { $0.1.map(\.score) } == [[2.5], []])
  }

  @Test("an old row is saved over, not beside, and the next version adds a column in place")
  func goesOn() throws {
    let file = try file()
    let next = ModelSchema {
      NextUser.self
      Post.self
    }
    do {
      let session = try Session(at: file.path, schema: schema)
      var user = users[0]
      user.role = .guest
      try session.save(user)
      #expect(try session.count(User.self) == 2)
    }
    let plan = try file.plan(to: next)
    #expect(plan.outline == ["native table users"])
    #expect(plan.statements.map(\.sql) == [#"ALTER TABLE "main"."users" ADD COLUMN "nickname" TEXT"#])
    try file.open(next)
    #expect(
      try file.query("SELECT id, role, nickname FROM users ORDER BY email") == [
        [.text("6BA7B810-9DAD-11D1-80B4-00C04FD430C8"), .text(#""guest""#), .null],
        [.text("6BA7B811-9DAD-11D1-80B4-00C04FD430C8"), .text(#""guest""#), .null],
      ])
    #expect(try file.value("SELECT author FROM posts") == .text("6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
    #expect(try file.value("PRAGMA user_version") == .int(7))
  }
}

private enum Role: String, ColumnValue, Codable { case admin, guest }

private struct Settings: JSONColumnValue, Hashable {
  var theme: String
  var size: Int
}

private struct User: Model, Hashable {
  let id: UUID
  var email: String
  var isActive: Bool
  var joined: Date
  var role: Role
  var settings: Settings?

  static let table = ModelTable("users", as: Self.init) {
    Column("id", \.id, storing: .uppercaseText).primaryKey()
    Column("email", \.email)
    Column("isActive", \.isActive)
    Column("joined", \.joined, storing: .iso8601)
    Column("role", \.role, storing: .quoted)
    Column("settings", \.settings)
  } indexes: {
    Index("index_users_on_email", on: \.email)
  }
}

private struct NextUser: Model {
  let id: UUID
  var email: String
  var isActive: Bool
  var joined: Date
  var role: Role
  var settings: Settings?
  var nickname: String?

  static let table = ModelTable("users", as: Self.init) {
    Column("id", \.id, storing: .uppercaseText).primaryKey()
    Column("email", \.email)
    Column("isActive", \.isActive)
    Column("joined", \.joined, storing: .iso8601)
    Column("role", \.role, storing: .quoted)
    Column("settings", \.settings)
    Column("nickname", \.nickname)
  } indexes: {
    Index("index_users_on_email", on: \.email)
  }
}

private struct Post: Model, Hashable {
  let id: Int64?
  var author: UUID
  var score: Double

  static let table = ModelTable("posts", as: Self.init) {
    Column("id", \.id).primaryKey(autoincrement: true).notNull()
    Column("author", \.author, storing: .uppercaseText).references(User.self, column: \.id, onDelete: .cascade)
    Column("score", \.score).default(0)
  }
}

extension ColumnCoding where Value == Role {
  /// A raw value in quotes, as JSON has it.
  fileprivate static var quoted: Self {
    ColumnCoding(
      type: .text, encode: { .text("\"\($0.rawValue)\"") },
      decode: { stored in
        let text = try String(sqlValue: stored)
        guard let role = Role(rawValue: text.filter { $0 != "\"" }) else {
          throw ColumnValueError(expected: "a role", found: "text", problem: "is none")
        }
        return role
      })
  }
}
