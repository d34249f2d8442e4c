import SchemaKit

/// Finds foreign keys whose columns store values differently than their parent's.
struct ForeignKeyTypeRule: LintRule {
  let code = LintCode.foreignKeyType
  let severity = Finding.Severity.warning
  let title = "foreign key of another type than its parent"
  let reason =
    "a text such as 007 becomes the number 7 on one side only, so that it is refused or not found, and the other way round no index on the child serves"
  let remedy = "give both columns the same type"
  let page = "https://sqlite.org/datatype3.html#type_affinity"

  func findings(in subject: LintSubject) -> [Finding] {
    subject.tables.flatMap { table in
      table.foreignKeys.flatMap { key in
        zip(key.columns, subject.parentColumns(of: key)).compactMap { name, parentName in
          guard let child = table.column(name), let parent = subject.schema.table(key.parent)?.column(parentName),
            isText(child) != isText(parent), child.affinity != .blob, parent.affinity != .blob
          else { return nil }
          let types =
            "\(Self.words(child)) and refers to \(key.parent.dotted(parentName)), which is \(Self.words(parent))"
          return finding(
            on: .column, name, of: table.name, at: subject.offset(of: name, in: table.name),
            message: "\(table.name.dotted(name)) is \(types). "
              + (isText(parent)
                ? "A text that looks like a number, such as 007, is stored as a number here and does not equal its parent."
                : "Numbers are stored as texts here, and no index on the column serves when its parent changes."),
            fix: "Give both columns the same type.")
        }
      }
    }
  }

  private func isText(_ column: ColumnSchema) -> Bool { column.affinity == .text }

  private static func words(_ column: ColumnSchema) -> String {
    "\(column.type ?? "of no type") (affinity \(column.affinity.rawValue))"
  }
}
