import Observation
import SchemaKit
import Testing

@Suite("ObservedValue")
@MainActor
struct ObservedValueTests {
  typealias Entry = Tally.Entry

  /// Waits, as a view does, until something that a closure reads has changed, then for the closure to be true.
  private func wait(until isTrue: @escaping @MainActor () -> Bool) async {
    while true {
      let (changes, change) = AsyncStream<Void>.makeStream()
      if withObservationTracking(isTrue, onChange: { change.finish() }) { return }
      for await _ in changes {}
    }
  }

  @Test("a view reads the value, and is told of each change", .timeLimit(.minutes(1)))
  func drawn() async throws {
    let database = try await Database(inMemory: Tally.schema)
    let notes = ObservedValue(in: database) { try $0.all(Entry.self).map(\.value) }
    #expect(notes.isLoading && notes.value == nil)
    await wait { notes.value == [] }
    #expect(!notes.isLoading && notes.error == nil)
    try await database.save(Entry(id: 1, worker: 0, value: 4))
    await wait { notes.value == [4] }
    try await database.deleteAll(Entry.self)
    await wait { notes.value == [] }
  }

  @Test("nothing is read before somebody looks, and nothing after it is gone", .timeLimit(.minutes(1)))
  func lifetime() async throws {
    let database = try await Database(inMemory: Tally.schema)
    let runs = Record<Int>()
    var count: ObservedValue<Int>? = ObservedValue(in: database) { reader in
      runs.append(1)
      return try reader.count(Entry.self)
    }
    try await database.save(Entry(id: 1, worker: 0, value: 4))
    #expect(runs.all.isEmpty)
    await wait { [count] in count?.value == 1 }
    weak let gone = count
    count = nil
    while gone != nil { try await Task.sleep(for: .milliseconds(5)) }
    let temporary: SQL = "SELECT count(*) FROM sqlite_temp_master"
    while try await database.query(temporary, as: Int.self) != [0] { try await Task.sleep(for: .milliseconds(5)) }
  }

  @Test("an error is shown beside the last value, and reload begins again", .timeLimit(.minutes(1)))
  func failure() async throws {
    struct Refusal: Error {}
    let database = try await Database(inMemory: Tally.schema)
    let count = ObservedValue(in: database) { reader in
      let count = try reader.count(Entry.self)
      if count == 1 { throw Refusal() }
      return count
    }
    await wait { count.value == 0 }
    try await database.save(Entry(id: 1, worker: 0, value: 4))
    await wait { count.error != nil }
    #expect(count.error is Refusal && count.value == 0 && !count.isLoading)
    try await database.save(Entry(id: 2, worker: 0, value: 4))
    count.reload()
    await wait { count.value == 2 }
    #expect(count.error == nil && !count.isLoading)
  }
}
