/// Temporary tables of rows as the new schema would store them, each made when it is first read.
struct RowCheckProbes {
  /// The reason a table's rows could not be brought into the new form.
  struct Problem {
    var condition = "A conversion or fill"
    var message: String
    var column: SQLName?

    var finding: RowCheckResults.Finding {
      RowCheckResults.Finding(
        kind: .unprovable(condition: condition, problem: message), column: column, count: 0, samples: [])
    }
  }

  let connection: any SQLConnection
  let questions: RowChecks
  private let watch: CollationWatch?
  private var done: [SQLName: [Problem]?] = [:]

  init(connection: any SQLConnection, questions: RowChecks, watch: CollationWatch? = nil) {
    self.watch = watch
    self.connection = connection
    self.questions = questions
  }

  /// Makes a table's rows ready; returns what stood in the way.
  mutating func prepare(_ table: SQLName) throws -> [Problem]? {
    if let outcome = done[table] { return outcome }
    guard let preparation = questions.preparations.first(where: { $0.table == table }) else { return nil }
    var problem: [Problem]?
    for statement in preparation.statements where problem == nil {
      do {
        _ = try watch.asking { try connection.run(statement) }
      } catch let error as LackedCollation {
        problem = [Problem(message: "\(error)", column: nil)]
      } catch let error as SQLiteError where !error.isEnvironmental {
        let found = try trials(in: preparation.owner)
        problem = found.isEmpty ? [Problem(message: error.message, column: nil)] : found
      }
    }
    done[table] = .some(problem)
    return problem
  }

  /// The table whose rows some temporary ones are.
  func owner(of rows: SQLName) -> SQLName? { questions.preparations.first { $0.table == rows }?.owner }

  /// Expressions of the author that make one value of all rows, as an aggregate does: one row would be left of them.
  func collapses(in table: SQLName) -> [Problem] {
    (questions.trials[table] ?? []).filter { (try? connection.integer($0.emptyQuery)) == 1 }.map { trial in
      Problem(
        condition: trial.words,
        message: "it makes one value of all rows, where each row needs its own; a value of all rows comes from a query "
          + "of its own, as (SELECT max(a) FROM t)", column: trial.column)
    }
  }

  /// Expressions of the author that SQLite does not understand. A function or table that is not here may be in the file that
  /// it is for, or come from the program that has the file.
  func faults(in table: SQLName) -> [Problem] {
    (questions.trials[table] ?? []).compactMap { trial in
      do {
        _ = try connection.integer(trial.emptyQuery)
        return nil
      } catch let error as SQLiteError where !error.isEnvironmental {
        return error.isMissingElsewhere
          ? nil : Problem(condition: trial.words, message: error.message, column: trial.column)
      } catch {
        return nil
      }
    }
  }

  /// Evaluates what the author gave for each column by itself, to name those that fail.
  private func trials(in table: SQLName) throws -> [Problem] {
    try (questions.trials[table] ?? []).compactMap { trial in
      do {
        _ = try connection.integer(trial.query)
        return nil
      } catch let error as SQLiteError where !error.isEnvironmental {
        return Problem(condition: trial.words, message: error.message, column: trial.column)
      }
    }
  }

  /// The columns whose expressions work by themselves, where another one's does not: that lets every question beside it
  /// fail as well.
  func innocentColumns(in table: SQLName) throws -> Set<SQLName> {
    let guilty = Set(try trials(in: table).compactMap(\.column))
    return guilty.isEmpty ? [] : Set((questions.trials[table] ?? []).map(\.column)).subtracting(guilty)
  }

  func drop() {
    guard !(connection is WorkConnection) else { return }
    for statement in questions.preparations.flatMap(\.teardown) { try? connection.execute(statement) }
  }
}
