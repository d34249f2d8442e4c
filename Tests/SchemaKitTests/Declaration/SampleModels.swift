import Foundation
import SchemaKit

// Models that the declaration tests share: between them they use everything a declaration can say.

enum Mood: String, ColumnValue, CaseIterable { case calm, wild }

struct NoteStyle: JSONColumnValue, Hashable {
  var font: String
  var size: Double
}

struct Audit: Fragment, Hashable {
  let created: Date
  let author: String

  static let columns = ColumnGroup(as: Self.init) {
    Column("created", \.created).renamed(from: "made")
    Column("by", \.author)
  }
}

struct Author: Model {
  let id: Int64?
  let name: String
  let country: String?
  let favourite: Int64?

  static let table = ModelTable("authors", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("name", \.name).unique(onConflict: .ignore).collate(.nocase)
    Column("country", \.country).collate("german")
    Column("favourite", \.favourite).references(Article.self, onDelete: .setNull)
  }
}

struct Article: Model, Equatable {
  let id: Int64?
  let title: String
  let body: String
  let authorID: Int64
  let modified: Date
  let tags: [String]
  let mood: Mood
  let style: NoteStyle?
  let price: Double?
  let size: Int
  let digest: [UInt8]
  let audit: Audit

  static let table = ModelTable("articles", as: Self.init, removed: ["legacy"]) {
    Column("id", \.id).primaryKey(autoincrement: true)
    Column("title", \.title).check("length(title) > 0").check("title <> 'x'", named: "no_x")
    Column("body", \.body).renamed(from: "text", "content").default("it's \"empty\"")
    Column("author_id", \.authorID)
      .references(Author.self, column: \.id, onDelete: .cascade, onUpdate: .noAction, deferrable: .initiallyDeferred)
    Column("modified", \.modified).default(sql: "unixepoch()").backfill(sql: "0")
    Column("tags", \.tags).default([])
    Column("mood", \.mood).type("VARCHAR(10)").default(.calm).converting(sql: "lower(mood)")
    Column("style", \.style)
    Column("price", \.price).notNull(onConflict: .replace).default(-1.5)
    Column("size", \.size).generated("length(body)", .stored)
    Column("digest", \.digest).default([0, 255])
    Column(embedding: \.audit, prefix: "audit_")
  } constraints: {
    Constraint.unique(\.title, \.modified)
    Constraint.unique(\.title, \.audit.author, onConflict: .rollback, named: "one_title_each")
    Constraint.check("price < 1000")
    Constraint.check("price <> 7")
  } indexes: {
    Index("articles_by_modified", on: \.modified, .descending)
    Index("articles_by_title", on: .sql("lower(title)"), .column(\.audit.created, .descending, collate: .binary))
      .unique().where("price IS NOT NULL")
    Index("articles_by_author", on: \.authorID, \.modified)
  } triggers: {
    Trigger("articles_touch", .after, .update(of: "title"), when: "old.title <> new.title", body: "SELECT 1;")
  }
  .renamed(from: "posts", "entries")
}

struct Link: Model {
  let article: Int64
  let target: String
  let kind: String

  static let table = ModelTable("links", as: Self.init) {
    Column("article", \.article)
    Column("target", \.target)
    Column("kind", \.kind)
  } constraints: {
    Constraint.primaryKey(\.article, \.target, onConflict: .replace)
    Constraint.foreignKey(\.article, references: Article.self, columns: \.id, onDelete: .restrict)
    Constraint.foreignKey(\.kind, \.target, references: "kinds", columns: "kind", "target", named: "known_kind")
  }
  .strict().withoutRowID().removed("weight")
}

final class Badge: Model {
  let code: String
  let label: String?

  init(code: String, label: String?) {
    self.code = code
    self.label = label
  }

  static let table = ModelTable("badges", as: Badge.init) {
    Column("code", \.code).primaryKey(order: .descending)
    Column("label", \.label)
  }
}
