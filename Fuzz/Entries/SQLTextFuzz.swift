import SchemaKit
import SchemaKitOperations
import SchemaKitReports

/// Reads hostile SQL text: as a declared schema, and as what a database that took it holds.
///
/// What SQLite accepts must be read, printed, and read again as the same schema; everything else is an error of the
/// layer's own type.
package enum SQLTextFuzz {
  /// Reads one text.
  ///
  /// - Throws: `FuzzFinding` for what must not happen.
  package static func run(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    try declare(text)
    try hold(text)
  }

  /// The text as a declared schema, as `--to` takes it.
  private static func declare(_ text: String) throws {
    do {
      let (declaration, _) = try SQLSchemaParser.parse(text, source: "input")
      _ = try SchemaLoader(source: "input").load(declaration)
    } catch is SchemaError {
      // A refusal with its place.
    } catch let error as IntrospectionError {
      throw FuzzFinding("a declared schema that SQLite takes: \(error)")
    } catch let error as SQLiteError where error.isAboutInput {
      // SQLite's own refusal.
    }
  }

  /// The text as what SQLite keeps of it.
  private static func hold(_ text: String) throws {
    let oracle = try OracleDatabase()
    oracle.runWhatWorks(text)
    let schema: DatabaseSchema
    do {
      schema = try SchemaReader.read(oracle.connection())
    } catch let error as IntrospectionError {
      throw FuzzFinding("a stored schema: \(error)")
    } catch is SQLiteError {
      return
    }
    let copy = try OracleDatabase()
    let connection = try copy.connection()
    for statement in schema.creationStatements {
      do {
        try connection.execute(statement)
      } catch let error as SQLiteError {
        throw FuzzFinding("SQLite refuses what it had stored: \(error)")
      }
    }
    try compare(schema, with: SchemaReader.read(connection), "its own statements")
    for object in SchemaSnapshot(schema, engine: "").objects where object.type == "table" {
      guard try oracle.columns(of: object.name) == copy.columns(of: object.name) else {
        throw FuzzFinding("the columns of \(object.name) differ when its statement is run again")
      }
    }
    try printAndRead(schema)
  }

  /// What `inspect` prints must load as the same schema.
  private static func printAndRead(_ schema: DatabaseSchema) throws {
    let printed = SchemaReport.sql(schema)
    // A hint in the comment of a stored statement is one where it is loaded, and may be wrong there.
    guard !printed.lowercased().contains("schemakit") else { return }
    do {
      let loaded = try SchemaSource.sql(printed, source: "printed").load()
      try compare(schema, with: loaded.target.schema, "what was printed")
    } catch let error as FuzzFinding {
      throw error
    } catch {
      throw FuzzFinding("what was printed does not load: \(error)\n\(printed)")
    }
  }

  private static func compare(_ first: DatabaseSchema, with second: DatabaseSchema, _ origin: String) throws {
    let difference = SchemaDiff(from: first, to: second, isOrderStrict: true)
    guard difference.isEmpty else {
      throw FuzzFinding("\(origin) is read as another schema, in \(difference.names.map(\.text))")
    }
    guard Fingerprint.of(first) == Fingerprint.of(second) else {
      throw FuzzFinding("\(origin) has another fingerprint")
    }
  }
}

extension SQLiteError {
  /// Whether the fault lies in what was given, and not in how SQLite was called.
  package var isAboutInput: Bool { codeName != "SQLITE_MISUSE" && codeName != "SQLITE_INTERNAL" }
}
