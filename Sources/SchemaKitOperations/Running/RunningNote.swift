import SchemaKit

/// Something that a program that runs already no longer finds, or can no longer write, once a plan was applied.
package struct RunningNote: Sendable, Hashable {
  /// The way to a change that leaves the program what it needs.
  package enum Way: Sendable, Hashable {
    /// The file can serve both programs for a while.
    case expand
    /// The plan takes away what a file had for the program.
    case wait
    /// The change itself has to be another one.
    case change
  }

  /// The change that the program notices, with the values that its sentence needs.
  package enum Cause: Sendable, Hashable {
    case missing(ObjectReference.Kind)
    case renamedTable(to: SQLName)
    case missingColumn
    case renamedColumn(to: SQLName)
    case missingRowID
    case missingKey([SQLName])
    case requiredValue(refusesNull: Bool)
    case refusedNull
    case computedColumn
    case check(String)
    case uniqueKey([SQLName], index: SQLName?)
    case foreignKey([SQLName], parent: SQLName)
    case strictTypes
    case otherType(from: String, to: String)
    case otherForm
    case otherDefault(from: String?, to: String?)
    case otherCollation(from: String, to: String)
    case missingNumber
    case otherView
    case otherTrigger(SQLName, ObjectEdit, event: String)
    case listlessInsert(given: Int, taken: Int)
    case selectStar(from: Int, to: Int)
  }

  /// The change of an object that has no name of its own in the statements of a program.
  package enum ObjectEdit: Sendable, Hashable {
    case added
    case changed
    case dropped
  }

  /// The table or view, by the name that the program knows.
  package var table: SQLName
  /// The column, by the name that the program knows; nil if the note is about the whole table.
  package var column: SQLName?
  package var cause: Cause
  package var way = Way.change

  package init(_ cause: Cause, table: SQLName, column: SQLName? = nil) {
    self.cause = cause
    self.table = table
    self.column = column
  }
}

extension RunningNote {
  /// The permanent code.
  package var code: RunningCode {
    switch cause {
    case .missing: .missingTable
    case .renamedTable: .renamedTable
    case .missingColumn: .missingColumn
    case .renamedColumn: .renamedColumn
    case .missingRowID: .missingRowID
    case .missingKey: .missingKey
    case .requiredValue: .requiredValue
    case .refusedNull: .refusedNull
    case .computedColumn: .computedColumn
    case .check: .check
    case .uniqueKey: .uniqueKey
    case .foreignKey: .foreignKey
    case .strictTypes: .strictTypes
    case .otherType, .otherForm: .otherValues
    case .otherDefault: .otherDefault
    case .otherCollation: .otherCollation
    case .missingNumber: .missingNumber
    case .otherView: .otherView
    case .otherTrigger: .otherTrigger
    case .listlessInsert: .listlessInsert
    case .selectStar: .selectStar
    }
  }

  /// The object as messages name it: `table` or `table.column`.
  package var object: String { column.map { "\(table).\($0)" } ?? table.text }

  /// A sentence that names the object and says what fails.
  package var message: String {
    switch cause {
    case .missing(let kind): "The \(kind) \(table) is not there any more: a statement that names it fails."
    case .renamedTable(let name): "Table \(table) is called \(name): a statement that names \(table) fails."
    case .missingColumn:
      "Column \(object) is not there any more: a statement that names it fails, or takes \"\(name)\" in double quotes for a text."
    case .renamedColumn(let new):
      "Column \(object) is called \(new): a statement that names \(name) fails, or takes \"\(name)\" in double quotes for a text."
    case .missingRowID: "Table \(table) has no rowid any more: a statement that names it fails."
    case .missingKey(let columns):
      "Table \(table) has no unique key of \(Self.list(columns)) any more: INSERT … ON CONFLICT (\(Self.list(columns))) fails, "
        + "and INSERT OR REPLACE stores duplicates."
    case .requiredValue(let refusesNull):
      "Column \(object) is NOT NULL without a default: an INSERT that gives it \(refusesNull ? "NULL or " : "")no value fails."
    case .refusedNull: "Column \(object) is NOT NULL: writing NULL fails."
    case .computedColumn: "Column \(object) is computed: an INSERT or UPDATE that gives it a value fails."
    case .check(let condition): "Table \(table) has CHECK (\(condition)): a row that breaks it is refused."
    case .uniqueKey(let columns, let index):
      "Table \(table) has a unique \(index.map { "index \($0)" } ?? "key")\(columns.isEmpty ? "" : " of \(Self.list(columns))"): "
        + "a row with the key of another one is refused, and OR REPLACE deletes the other one."
    case .foreignKey(let columns, let parent):
      "Table \(table) refers to \(parent) by \(Self.list(columns)): where foreign keys are on, a row without a parent is refused."
    default: valueMessage
    }
  }

  /// The sentence for a change of values or positions, where names and rules stay the same.
  private var valueMessage: String {
    switch cause {
    case .strictTypes: "Table \(table) is STRICT: a value that its column's type does not take is refused."
    case .otherType(let old, let new):
      "Column \(object) has \(Self.type(new)) instead of \(Self.type(old)): SQLite converts what is stored by other rules."
    case .otherForm:
      "The values of column \(object) get another form: the program reads them otherwise, and writes the former one."
    case .otherDefault(let old, let new):
      "Column \(object) has \(new.map { "the default \($0)" } ?? "no default") instead of \(old ?? "none"): an INSERT that gives it "
        + "no value stores another one."
    case .otherCollation(let old, let new):
      "Column \(object) compares by \(new) instead of \(old): conditions find other rows, and ORDER BY gives another order."
    case .missingNumber:
      "Column \(object) gives new rows no number any more: an INSERT without it stores NULL or fails."
    case .otherView: "View \(table) is declared in another way: it may give other columns or other rows."
    case .otherTrigger(let trigger, let edit, let event):
      switch edit {
      case .added:
        "\(event) on \(table) fires a new trigger, \(trigger): it may change or refuse what the program writes."
      case .changed: "Trigger \(trigger) of \(event) on \(table) is declared in another way: it may do something else."
      case .dropped:
        "\(event) on \(table) does not fire trigger \(trigger) any more: what it did is not done, and a view takes no rows."
      }
    case .listlessInsert(let given, let taken):
      "An INSERT into \(table) without a list of columns gives \(given.counted("value"))"
        + (given == taken
          ? ", and some go to other columns than before." : ", and the table takes \(taken): it fails.")
    case .selectStar(let old, let new):
      "SELECT * from \(table) gives "
        + (old == new
          ? "its \(old.counted("column")) in another order, or others." : "\(new.counted("column")) instead of \(old).")
    default: ""
    }
  }

  /// The way out, in a sentence.
  package var remedy: String {
    switch way {
    case .expand: "Apply with --expand, which serves that program too, and with --contract once it is gone."
    case .wait: "Wait with --contract until that program is gone."
    case .change: code.remedy
    }
  }

  private var name: SQLName { column ?? table }

  private static func list(_ columns: [SQLName]) -> String { columns.map(\.text).joined(separator: ", ") }

  private static func type(_ name: String) -> String { name.isEmpty ? "no type" : "type \(name)" }
}

/// The notes about a program that runs already, and the place that its schema is from.
package struct RunningProgram: Sendable, Hashable {
  /// The name of its schema, as given by the user.
  package var schema: String
  package var notes: [RunningNote]
}
