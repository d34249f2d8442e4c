import OrderedCollections

/// A hint's former name that something else is declared under, which in turn had the first one's name: a part of an
/// exchange.
///
/// Where both are in a file, nothing in the file tells whether they have changed names already.
package struct FormerName: Sendable, Hashable {
  /// What is known of such a hint in one file.
  package enum RenameState: Sendable, Hashable {
    /// The file was brought to a schema with the hint: the names mean what they say.
    case settled
    /// So it was, and to one without the hint since. Whoever wrote it anew may want another exchange, or none.
    case doubtful
    /// The statements of a recorded step move the names, through a third one, so that nothing need be guessed.
    case written
  }

  package var table: SQLName
  /// The column; nil where the table itself has the former name.
  package var column: SQLName?
  package var former: SQLName

  package init(table: SQLName, column: SQLName? = nil, former: SQLName) {
    self.table = table
    self.column = column
    self.former = former
  }
}

extension MigrationHints {
  /// The former names that lead round in a circle within a declared schema.
  package func exchangedNames(in schema: DatabaseSchema) -> Set<FormerName> {
    let declared = tables.filter { schema.tables[$0.key] != nil }
    var names = Self.circles(in: declared.mapValues(\.renamedFrom)).map {
      FormerName(table: $0.name, column: nil, former: $0.former)
    }
    for (table, hints) in declared {
      let columns = hints.columns.filter { schema.tables[table]?.column($0.key) != nil }
      names += Self.circles(in: columns.mapValues(\.renamedFrom)).map {
        FormerName(table: table, column: $0.name, former: $0.former)
      }
    }
    return Set(names)
  }

  /// The names with those of their former names from which a way leads back to them.
  private static func circles(in formerNames: [SQLName: [SQLName]]) -> [(name: SQLName, former: SQLName)] {
    formerNames.flatMap { name, formers in
      formers.filter { former in
        var reached: Set<SQLName> = []
        var waiting = [former]
        while let next = waiting.popLast() {
          if reached.insert(next).inserted { waiting += formerNames[next] ?? [] }
        }
        return former != name && reached.contains(name)
      }.map { (name, $0) }
    }
  }
}
