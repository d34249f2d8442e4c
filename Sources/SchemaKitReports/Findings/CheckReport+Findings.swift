import SchemaKit
import SchemaKitOperations

extension CheckReport {
  /// The check as questions with what speaks against each, for the forms that other programs read.
  package var questions: [CheckedQuestion] {
    var questions: [CheckedQuestion] = []
    if let database {
      questions.append(
        CheckedQuestion(
          "\(database.name) has the schema of \(schema)",
          denial: "\(database.name) does not have the schema of \(schema)",
          findings: findings(of: database.status, at: database.name)
            + idleHints.map { finding(of: $0, at: database.name) }))
    }
    if let database, let running {
      questions.append(
        CheckedQuestion(
          "a running program with the schema of \(running.schema) after the change of \(database.name)",
          findings: running.notes.map { finding(of: $0, at: database.name) }))
    }
    if let folder {
      questions.append(
        CheckedQuestion(
          "\(folder.name) is as it was recorded", denial: "\(folder.name) is not as it was recorded",
          findings: folder.findings))
    }
    if let migrations {
      questions.append(
        CheckedQuestion(
          "the migrations in \(migrations.from) lead to the schema of \(schema)",
          denial: "the migrations in \(migrations.from) do not lead to the schema of \(schema)",
          findings: migrations.entries.map { entry in
            let details = entry.details.isEmpty ? "" : ": \(entry.details.joined(separator: "; "))"
            let place = schemaPlaces.place(of: SQLName(entry.object), columns: entry.columns)
            return ReportFinding(
              .unrecordedChange,
              "\(entry.kind) \(entry.object) \(Self.words(for: entry.change))\(details). No recorded step says so; "
                + "record it with schemactl migrations new.", object: entry.object,
              file: schemaPlaces.isEmpty ? migrations.from : schema, place: place)
          }))
    }
    if let newSteps {
      questions.append(
        CheckedQuestion(
          "steps that \(newSteps.base) lacks: \(newSteps.names.isEmpty ? "none" : newSteps.names.joined(separator: ", "))",
          findings: newSteps.findings))
    }
    return questions
  }

  private func findings(of status: DatabaseStatus, at name: String) -> [ReportFinding] {
    switch status {
    case .inSync: []
    case .newer(let sentence):
      [ReportFinding(.newerDatabase, sentence, file: name)]
    case .pending(let plan):
      plan.changes.map { change in
        let changes = change.changes.joined(separator: "; ")
        return ReportFinding(
          .changePending,
          "\(name) lacks a change: \(change.action.rawValue) \(change.object.kind) \(change.object)"
            + (changes.isEmpty ? "." : ": \(changes)."), object: "\(change.object)",
          file: schemaPlaces.isEmpty ? name : schema,
          place: schemaPlaces.place(of: change.object.name, columns: change.edits.compactMap(\.column)))
      }
    }
  }

  /// A hint that is not followed.
  func finding(of hint: Hazard, at name: String) -> ReportFinding {
    ReportFinding(
      code: hint.code.rawValue, level: .note, title: "Hint not followed",
      message: [hint.message, hint.remedy].compactMap { $0 }.joined(separator: " "),
      object: hint.object,
      file: schemaPlaces.isEmpty ? name : schema, line: schemaPlaces.place(of: SQLName(hint.table))?.line)
  }

  /// A note about the program that runs already.
  private func finding(of note: RunningNote, at name: String) -> ReportFinding {
    let place = schemaPlaces.place(of: note.table, columns: note.column.map { [$0] } ?? [])
    return ReportFinding(
      code: note.code.rawValue, level: .note, title: note.code.title, message: "\(note.message) \(note.remedy)",
      object: note.object, file: schemaPlaces.isEmpty ? name : schema, line: place?.line, column: place?.column)
  }

  private static func words(for change: DiffReport.Entry.Change) -> String {
    switch change {
    case .added: "is declared and not in the migrations"
    case .dropped: "is in the migrations and no longer declared"
    case .changed: "is declared otherwise than the migrations have it"
    }
  }
}
