import AppleNames
import Foundation
import SchemaKit
import Testing

private struct Task: Model, Identifiable {
  let id: Int64?
  var title: String
  var due: Date?

  static let table = ModelTable("tasks", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("title", \.title)
    Column("due", \.due)
  } indexes: {
    Index("tasks_due", on: \.due, SortDirection.descending)
  }
}

private struct TaskView: View {
  let task: Task
  var body: some View { Text(task.title) }
}

@Suite("Declarations: names of the modules that an app imports as well")
struct AppleNamesTests {
  @Test("models and views stand in one file")
  func together() throws {
    let schema = ModelSchema {
      Task.self
      SQLView("open_tasks", sql: "SELECT * FROM tasks WHERE due IS NULL")
    }
    let session = try Session(inMemory: schema)
    try session.save(Task(id: nil, title: "write", due: nil))
    let tasks = try session.all(Task.self, orderBy: { [$0.title.ascending] })
    #expect(tasks.map { TaskView(task: $0).task.title } == ["write"])
    _ = Table(tasks)
    let order: SortOrder = .forward
    #expect(tasks.sorted(using: KeyPathComparator(\.title, order: order)).count == 1)
  }

  @Test("no public type has the name of one of theirs")
  func names() throws {
    let pattern =
      /^(?:@\w+(?:\([^)]*\))? )*public (?:final |indirect )*(?:struct|enum|class|actor|protocol|typealias) (\w+)/
    func types(in folder: String) throws -> Set<String> {
      let lines = try SourceTree.swiftFiles(in: folder).flatMap { $0.code.split(separator: "\n") }
      return Set(lines.compactMap { $0.firstMatch(of: pattern).map { String($0.output.1) } })
    }
    let theirs = try types(in: "Tests/AppleNames").union(["SortOrder", "Predicate", "Progress", "Operation", "Unit"])
    #expect(theirs.isSuperset(of: ["View", "Table", "Schema", "Transaction"]))
    for folder in ["SQLiteSchema", "SchemaKit", "SchemaKitRemote", "SchemaKitTesting", "SchemaKitReports"] {
      #expect(try types(in: "Sources/\(folder)").intersection(theirs) == [])
    }
  }
}
