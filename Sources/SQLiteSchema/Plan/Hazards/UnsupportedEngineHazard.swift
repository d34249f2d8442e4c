/// SK401: the engine, or the program's connection, lacks what a change needs.
///
/// A virtual table needs its [module](https://sqlite.org/vtab.html), an index its collation, a trigger its functions.
/// Blocked; a note where something could only not be checked. The remedy is a program that has it.
package enum UnsupportedEngineHazard: HazardWording {
  /// The module of a virtual table is not loaded.
  case unloadedModule(name: String)
  /// A step would fail because the program lacks a collation or a function.
  case failingStep(kind: ObjectReference.Kind, object: SQLName, lackedKind: String, lacked: String, problem: String)
  /// Whether statements would fail could not be checked.
  case uncheckedWrite(actions: [String], lacked: String)

  package func message(for hazard: Hazard) -> String {
    switch self {
    case .unloadedModule(let name): "Virtual table \(hazard.table) needs the module \(name), which is not loaded."
    case .failingStep(let kind, let object, let lackedKind, let lacked, let problem):
      "The step for \(kind) \(object) would fail, because this program lacks the \(lackedKind) \(lacked): \(problem)."
    case .uncheckedWrite(let actions, let lacked):
      "\(Wording.list(actions)) on \(hazard.table) could not be checked: this program lacks the \(lacked)."
    }
  }

  package func remedy(for hazard: Hazard) -> String? {
    switch self {
    case .unloadedModule: "Load it with --load-extension FILE, use a SQLite that has it, or keep the table as it is."
    case .failingStep(_, _, _, let lacked, _):
      "Load \(lacked) with --load-extension FILE, or migrate with the program that adds it to its connections."
    case .uncheckedWrite: "Programs that have it can use \(hazard.table)."
    }
  }
}

extension UnsupportedEngineHazard: SchemaHazardRule {
  /// Virtual tables that change and whose module is not loaded.
  package static func hazards(in change: ComparedSchemas) -> [Hazard] {
    change.diff.virtualTables.compactMap { edit in
      guard let table = edit.old ?? edit.new, !table.isModuleLoaded else { return nil }
      return Hazard(
        .unsupportedEngine, table: change.renames.formerTable(table.name),
        cause: .unsupportedEngine(.unloadedModule(name: table.module.text)))
    }
  }
}
