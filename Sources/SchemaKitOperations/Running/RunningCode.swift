/// The permanent code of something that a change takes from a program that runs already.
package enum RunningCode: String, Sendable, Hashable, CaseIterable {
  case missingTable = "SR101"
  case renamedTable = "SR102"
  case missingColumn = "SR103"
  case renamedColumn = "SR104"
  case missingRowID = "SR105"
  case missingKey = "SR106"
  case requiredValue = "SR201"
  case refusedNull = "SR202"
  case computedColumn = "SR203"
  case check = "SR204"
  case uniqueKey = "SR205"
  case foreignKey = "SR206"
  case strictTypes = "SR207"
  case otherValues = "SR301"
  case otherDefault = "SR302"
  case otherCollation = "SR303"
  case missingNumber = "SR304"
  case otherView = "SR305"
  case otherTrigger = "SR306"
  case listlessInsert = "SR401"
  case selectStar = "SR402"

  /// The title of the note, in a few words.
  package var title: String {
    switch self {
    case .missingTable: "Table or view not found"
    case .renamedTable: "Table has another name"
    case .missingColumn: "Column not found"
    case .renamedColumn: "Column has another name"
    case .missingRowID: "No rowid"
    case .missingKey: "ON CONFLICT finds no key"
    case .requiredValue: "INSERT lacks a value"
    case .refusedNull: "NULL is refused"
    case .computedColumn: "Column is computed"
    case .check: "Another CHECK"
    case .uniqueKey: "Another unique key"
    case .foreignKey: "Another foreign key"
    case .strictTypes: "Types are checked"
    case .otherValues: "Values have another form"
    case .otherDefault: "Another default"
    case .otherCollation: "Another collation"
    case .missingNumber: "New rows get no number"
    case .otherView: "Another view"
    case .otherTrigger: "Another trigger"
    case .listlessInsert: "INSERT without a list of columns"
    case .selectStar: "SELECT *"
    }
  }

  /// The way out where no schema serves both programs.
  package var remedy: String {
    switch self {
    case .missingTable, .missingColumn, .missingRowID, .missingKey:
      "Leave it until that program is gone, and drop it in a later change."
    case .renamedTable, .renamedColumn, .computedColumn:
      "Add it under a new name beside the old one, and drop the old one in a later change."
    case .requiredValue, .missingNumber: "Give it a default until that program is gone."
    case .refusedNull: "Allow NULL until that program is gone."
    case .check, .uniqueKey, .foreignKey, .strictTypes: "First release a program that keeps this rule, then apply it."
    case .otherValues, .otherDefault, .otherCollation:
      "Add a new column beside it, and drop the old one in a later change."
    case .otherView: "Create a view under a new name beside it, and drop the old one in a later change."
    case .otherTrigger: "First release a program that works with both."
    case .listlessInsert: "First release a program that names the columns of each INSERT."
    case .selectStar: "First release a program that names the columns of each SELECT."
    }
  }
}
