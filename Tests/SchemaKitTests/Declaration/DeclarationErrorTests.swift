import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("mistakes in a declaration")
struct DeclarationErrorTests {
  private func error(_ schema: ModelSchema) -> DeclarationError? {
    do { _ = try schema.declaration() } catch { return error }
    return nil
  }

  @Test("two tables of one name, whatever the case")
  func duplicateTable() {
    struct First: Model {
      let a: Int
      static let table = ModelTable("things", as: Self.init) { Column("a", \.a) }
    }
    struct Second: Model {
      let a: Int
      static let table = ModelTable("THINGS", as: Self.init) { Column("a", \.a) }
    }
    let found = error(
      ModelSchema {
        First.self
        Second.self
      })
    #expect(found?.reason == .duplicateObject("THINGS"))
    #expect(found?.model == "Second")
    #expect(
      found?.description == "Model Second (table THINGS) declares THINGS twice. Tables, views and indexes share their "
        + "names, whatever the case of the letters: rename one.")
    #expect(
      error(
        ModelSchema {
          First.self
          SQLView("Things", sql: "SELECT 1")
        })?.reason == .duplicateObject("Things"))
    #expect(
      error(ModelSchema(removing: ["things"]) { First.self })?.reason == .removedButDeclared("things"))
  }

  @Test("two columns of one name, whatever the case")
  func duplicateColumn() {
    struct Twice: Model {
      let a: Int, b: Int
      static let table = ModelTable("t", as: Self.init) {
        Column("a", \.a)
        Column("A", \.b)
      }
    }
    #expect(error(ModelSchema { Twice.self })?.reason == .duplicateColumn("A"))
  }

  @Test("two indexes, two triggers and two constraints of one name")
  func duplicateOthers() {
    struct Indexed: Model {
      let a: Int
      static let table = ModelTable("t", as: Self.init) {
        Column("a", \.a)
      } indexes: {
        Index("i", on: \.a)
        Index("I", on: \.a, .descending)
      }
    }
    struct Triggered: Model {
      let a: Int
      static let table = ModelTable("u", as: Self.init) {
        Column("a", \.a)
      } triggers: {
        Trigger("x", .after, .insert, body: "SELECT 1")
        Trigger("X", .after, .delete, body: "SELECT 1")
      }
    }
    struct Checked: Model {
      let a: Int
      static let table = ModelTable("v", as: Self.init) {
        Column("a", \.a).check("a > 0", named: "c").check("a", named: "C")
      }
    }
    #expect(error(ModelSchema { Indexed.self })?.reason == .duplicateObject("I"))
    #expect(error(ModelSchema { Triggered.self })?.reason == .duplicateTrigger("X"))
    #expect(error(ModelSchema { Checked.self })?.reason == .duplicateConstraint("C"))
  }

  @Test(
    "reserved and empty names, and names with a NUL",
    arguments: [
      ("sqlite_things", DeclarationError.Reason.reservedName("sqlite_things")),
      ("_SchemaKit_x", .reservedName("_SchemaKit_x")),
      ("", .emptyName(of: "a view")),
      ("a\0b", .embeddedNUL("the name of a view")),
    ])
  func names(_ name: String, _ expected: DeclarationError.Reason) {
    #expect(error(ModelSchema { SQLView(name, sql: "SELECT 1") })?.reason == expected)
  }

  @Test("a NUL inside an SQL text")
  func nulInSQL() {
    #expect(error(ModelSchema { SQLView("v", sql: "SELECT 'a\0'") })?.reason == .embeddedNUL("an SQL text"))
  }

  @Test("a trigger on nothing")
  func triggerWithoutTable() {
    let schema = ModelSchema { Trigger("x", .after, .insert, body: "SELECT 1") }
    #expect(error(schema)?.reason == .triggerWithoutTable("x"))
    #expect(
      error(schema)?.description
        == "The schema has the trigger x on no table. Give it one with on:, or declare it in a ModelTable.")
  }

  @Test("a constraint or an index on a property without a column")
  func unknownKeyPath() {
    struct Computed: Model {
      let a: Int
      var double: Int { a * 2 }
      static let table = ModelTable("t", as: Self.init) {
        Column("a", \.a)
      } constraints: {
        Constraint.unique(\.double)
      }
    }
    struct Indexed: Model {
      let a: Int
      var double: Int { a * 2 }
      static let table = ModelTable("t", as: Self.init) {
        Column("a", \.a)
      } indexes: {
        Index("i", on: \.double)
      }
    }
    struct Unlisted: Model {
      let a: Int
      var b = 0
      init(a: Int) { self.a = a }
      static let table = ModelTable("t", as: Self.init(a:)) {
        Column("a", \.a)
      } constraints: {
        Constraint.unique(\.b)
      }
    }
    #expect(
      error(ModelSchema { Computed.self })?.reason
        == .unknownKeyPath("a property of type Int", in: "a unique constraint"))
    #expect(
      error(ModelSchema { Indexed.self })?.reason == .unknownKeyPath("a property of type Int", in: "the index i"))
    #expect(
      error(ModelSchema { Unlisted.self })?.reason == .unknownKeyPath("\\Unlisted.b", in: "a unique constraint"))
  }

  @Test("a constraint and an index on nothing")
  func noColumns() {
    struct Unique: Model {
      let a: Int
      static let table = ModelTable("t", as: Self.init) {
        Column("a", \.a)
      } constraints: {
        Constraint.unique()
      }
    }
    #expect(error(ModelSchema { Unique.self })?.reason == .noColumns(in: "a unique constraint"))
  }

  @Test("AUTOINCREMENT where SQLite cannot count")
  func autoincrement() {
    struct Text: Model {
      let a: String
      static let table = ModelTable("t", as: Self.init) { Column("a", \.a).primaryKey(autoincrement: true) }
    }
    struct Descending: Model {
      let a: Int
      static let table = ModelTable("t", as: Self.init) {
        Column("a", \.a).primaryKey(autoincrement: true, order: .descending)
      }
    }
    struct NoRowID: Model {
      let a: Int
      static let table = ModelTable("t", as: Self.init) { Column("a", \.a).primaryKey(autoincrement: true) }
        .withoutRowID()
    }
    #expect(
      error(ModelSchema { Text.self })?.reason == .autoincrementWithoutIntegerKey(column: "a", type: "TEXT"))
    #expect(
      error(ModelSchema { Descending.self })?.reason
        == .autoincrementWithoutIntegerKey(column: "a", type: "INTEGER DESC"))
    #expect(error(ModelSchema { NoRowID.self })?.reason == .autoincrementWithoutRowID(column: "a"))
  }

  @Test("no primary key where one is needed, and two where one is allowed")
  func primaryKeys() {
    struct None: Model {
      let a: Int
      static let table = ModelTable("t", as: Self.init) { Column("a", \.a) }.withoutRowID()
    }
    struct Two: Model {
      let a: Int, b: Int
      static let table = ModelTable("t", as: Self.init) {
        Column("a", \.a).primaryKey()
        Column("b", \.b)
      } constraints: {
        Constraint.primaryKey(\.a, \.b)
      }
    }
    #expect(error(ModelSchema { None.self })?.reason == .withoutRowIDWithoutPrimaryKey)
    #expect(error(ModelSchema { Two.self })?.reason == .severalPrimaryKeys(["a", "(a, b)"]))
  }

  @Test("a type that STRICT tables do not know")
  func strictType() {
    struct Strict: Model {
      let a: String
      static let table = ModelTable("t", as: Self.init) { Column("a", \.a).type("VARCHAR(4)") }.strict()
    }
    #expect(error(ModelSchema { Strict.self })?.reason == .typeNotStrict(column: "a", type: "VARCHAR(4)"))
  }

  @Test("generated columns that SQLite refuses")
  func generated() {
    struct Default: Model {
      let a: Int, b: Int
      static let table = ModelTable("t", as: Self.init) {
        Column("a", \.a)
        Column("b", \.b).generated("a").default(1)
      }
    }
    struct Key: Model {
      let a: Int, b: Int
      static let table = ModelTable("t", as: Self.init) {
        Column("a", \.a)
        Column("b", \.b).generated("a").primaryKey()
      }
    }
    struct Only: Model {
      let a: Int
      static let table = ModelTable("t", as: Self.init) { Column("a", \.a).generated("1") }
    }
    struct Filled: Model {
      let a: Int, b: Int
      static let table = ModelTable("t", as: Self.init) {
        Column("a", \.a)
        Column("b", \.b).generated("a").backfill(sql: "1")
      }
    }
    struct Converted: Model {
      let a: Int, b: Int
      static let table = ModelTable("t", as: Self.init) {
        Column("a", \.a)
        Column("b", \.b).generated("a").converting(from: "a") { (a: Int) in a }
      }
    }
    #expect(error(ModelSchema { Default.self })?.reason == .generatedColumnWithDefault("b"))
    #expect(error(ModelSchema { Filled.self })?.reason == .generatedColumnWithConversion("b"))
    #expect(error(ModelSchema { Converted.self })?.reason == .generatedColumnWithConversion("b"))
    #expect(error(ModelSchema { Key.self })?.reason == .generatedColumnInPrimaryKey("b"))
    #expect(error(ModelSchema { Only.self })?.reason == .onlyGeneratedColumns)
  }

  @Test("hints that contradict the declaration")
  func hints() {
    struct Column1: Model {
      let a: Int
      static let table = ModelTable("t", as: Self.init) { Column("a", \.a).renamed(from: "b", "A") }
    }
    struct Table1: Model {
      let a: Int
      static let table = ModelTable("t", as: Self.init) { Column("a", \.a) }.renamed(from: "T")
    }
    struct Removed: Model {
      let a: Int
      static let table = ModelTable("t", as: Self.init, removed: ["A"]) { Column("a", \.a) }
    }
    #expect(error(ModelSchema { Column1.self })?.reason == .renamedFromItself("a"))
    #expect(error(ModelSchema { Table1.self })?.reason == .renamedFromItself("t"))
    #expect(error(ModelSchema { Removed.self })?.reason == .removedButDeclared("a"))
  }

  @Test("a default that SQL cannot write")
  func unrepresentableDefault() {
    struct Big: Model {
      let a: UInt64
      static let table = ModelTable("t", as: Self.init) { Column("a", \.a).default(.max) }
    }
    guard case .unrepresentableDefault("a", _) = error(ModelSchema { Big.self })?.reason else {
      Issue.record("UInt64.max was taken")
      return
    }
  }

  @Test("foreign keys that miss their parent")
  func foreignKeys() {
    struct Parent: Model {
      let id: Int
      var half: Int { id / 2 }
      static let table = ModelTable("parents", as: Self.init) { Column("id", \.id).primaryKey() }
    }
    struct Count: Model {
      let a: Int, b: Int
      static let table = ModelTable("t", as: Self.init) {
        Column("a", \.a)
        Column("b", \.b)
      } constraints: {
        Constraint.foreignKey(\.a, \.b, references: Parent.self, columns: \.id)
      }
    }
    struct Path: Model {
      let a: Int
      static let table = ModelTable("t", as: Self.init) { Column("a", \.a).references(Parent.self, column: \.half) }
    }
    struct Name: Model {
      let a: Int
      static let table = ModelTable("t", as: Self.init) { Column("a", \.a).references("PARENTS", column: "nope") }
    }
    #expect(error(ModelSchema { Count.self })?.reason == .foreignKeyCount(columns: 2, parentColumns: 1))
    #expect(
      error(ModelSchema { Path.self })?.reason == .unknownParentColumn(parent: "parents", column: nil))
    #expect(
      error(
        ModelSchema {
          Parent.self
          Name.self
        })?.reason == .unknownParentColumn(parent: "PARENTS", column: "nope"))
  }
}
