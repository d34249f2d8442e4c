import Foundation
import SchemaKit
import Testing

@testable import SchemaKitTesting

@Suite("The disk that crashes")
struct SimulatedDiskTests {
  private static func disk(_ operations: [FileOperation], from files: [String: [UInt8]] = [:]) -> SimulatedDisk {
    var disk = SimulatedDisk(files)
    for operation in operations { disk.apply(operation) }
    return disk
  }

  private static func bytes(_ files: [String: SimulatedDisk.Content]) -> [String: [UInt8]] { files.mapValues(\.bytes) }

  @Test("what was recorded, done again, makes the very files that SQLite left", arguments: CrashMatrix.Journal.allCases)
  func exact(journal: CrashMatrix.Journal) throws {
    let folder = try TestFolder()
    let name = try #require(RecordingFileSystem.name)
    let recorder = RecordedFolder(path: folder.path, isRecording: true)
    try RecordingFileSystem.observing(recorder) {
      let connection = try SQLiteConnection(
        path: folder.path(of: "a.db"), mode: .readWriteCreate, fileSystem: name)
      try connection.execute("PRAGMA cache_size = 2; PRAGMA journal_mode = \(journal.rawValue); CREATE TABLE t (a, b)")
      for number in 1...40 {
        try connection.run("INSERT INTO t VALUES (?1, zeroblob(700))", [.integer(Int64(number))])
        let disk = Self.disk(recorder.operations)
        #expect(Self.bytes(disk.live) == (try folder.files()).mapValues { [UInt8]($0) })
      }
      try connection.execute("DELETE FROM t; VACUUM")
    }
    let disk = Self.disk(recorder.operations)
    #expect(Self.bytes(disk.live) == (try folder.files()).mapValues { [UInt8]($0) })
    #expect(recorder.operations.contains { if case .sync = $0 { true } else { false } })
  }

  @Test("a file that was not synced is lost, in part or in whole")
  func unsynced() {
    let disk = Self.disk(
      [.write("f", offset: 0, bytes: [1]), .write("f", offset: 2, bytes: [3]), .truncate("f", size: 5)],
      from: ["f": [9, 9]])
    #expect(Self.bytes(disk.live) == ["f": [1, 9, 3, 0, 0]])
    #expect(Self.bytes(disk.durable) == ["f": [9, 9]])
    let states = disk.states.map { ($0.name, Self.bytes($0.files)) }
    #expect(states.contains { $0.0.contains("odd") && $0.1 == ["f": [1, 9, 0, 0, 0]] })
    #expect(states.contains { $0.0.contains("even") && $0.1 == ["f": [9, 9, 3]] })
    #expect(Self.bytes(disk.torn(.write("f", offset: 1, bytes: [7])).files) == ["f": [1, 7, 3, 0, 0]])
  }

  @Test("a sync saves one file, and that of a new journal what the folder holds")
  func synced() {
    let first: [FileOperation] = [
      .create("f-journal"), .write("f-journal", offset: 0, bytes: [1]), .delete("old", isDurable: false),
    ]
    let files: [String: [UInt8]] = ["f": [2], "old": [3]]
    let plain = Self.disk(first + [.sync("f-journal", coversFolder: false)], from: files)
    #expect(Self.bytes(plain.durable) == ["f": [2], "f-journal": [1], "old": [3]])
    let folder = Self.disk(first + [.sync("f-journal", coversFolder: true)], from: files)
    #expect(Self.bytes(folder.durable) == ["f": [2], "f-journal": [1]])
    #expect(folder.pending.isEmpty)
  }

  @Test("a deleted journal comes back when the deletion was not synced, as it was when it was synced")
  func deleted() {
    let operations: [FileOperation] = [
      .create("f-journal"), .write("f-journal", offset: 0, bytes: [1]), .sync("f-journal", coversFolder: true),
      .write("f", offset: 0, bytes: [5]), .write("f-journal", offset: 0, bytes: [2]),
      .delete("f-journal", isDurable: false),
    ]
    let disk = Self.disk(operations, from: ["f": [4]])
    #expect(Self.bytes(disk.live) == ["f": [5]])
    #expect(Self.bytes(disk.durable) == ["f": [4], "f-journal": [1]])
    let mixed = disk.states.first { $0.name.hasPrefix("journals lost") }
    #expect(mixed.map { Self.bytes($0.files) } == ["f": [5], "f-journal": [1]])
    #expect(
      Self.bytes(Self.disk(operations.dropLast() + [.delete("f-journal", isDurable: true)], from: ["f": [4]]).durable)
        == ["f": [4]])
  }
}
