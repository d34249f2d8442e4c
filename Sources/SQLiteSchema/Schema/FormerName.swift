import OrderedCollections

/// A former name in a hint that is also a declared name, whose hint in turn leads back to the first one: part of a
/// swap.
///
/// If both exist in a file, nothing in the file tells whether they have already been swapped.
package struct FormerName: Sendable, Hashable {
  /// The state of such a hint in one file.
  package enum RenameState: Sendable, Hashable {
    /// The file was migrated to a schema with the hint: the names mean what they say.
    case settled
    /// It was, and since then to a schema without the hint. Whoever added it again may want another swap, or none.
    case doubtful
    /// The statements of a recorded step move the names, through a third one, so that nothing needs to be guessed.
    case written
  }

  package var table: SQLName
  /// The column; nil if the table itself has the former name.
  package var column: SQLName?
  package var former: SQLName

  package init(table: SQLName, column: SQLName? = nil, former: SQLName) {
    self.table = table
    self.column = column
    self.former = former
  }
}

extension MigrationHints {
  /// The former names that form cycles within a declared schema.
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

  /// The names, each with those of its former names from which hints lead back to it.
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
