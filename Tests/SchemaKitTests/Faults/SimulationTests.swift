import Foundation
import Testing

/// Runs the `simulate` program, since the simulated file system and its time belong to a whole process.
@Suite("Simulated changes")
struct SimulationTests {
  private func simulate(_ arguments: String...) throws -> (code: Int32, output: String) {
    guard let program = KillProbe.program("simulate") else { throw KillProbe.NotFound() }
    let process = Process()
    let output = Pipe()
    process.executableURL = program
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  @Test("leave the old file or the new one, and every acknowledged write, whatever a seed decides")
  func seeds() throws {
    let (code, output) = try simulate("--seed", "7000000", "--seeds", "200", "--jobs", "2", "--shrink")
    #expect(code == 0, "\(output)")
    print("simulation: \(output)")
  }

  @Test("are the same every time")
  func replay() throws {
    let first = try simulate("--seed", "7001000", "--seeds", "15")
    let alone = try simulate("--seed", "7001003", "--seeds", "1", "--verbose")
    #expect(try first.output == simulate("--seed", "7001000", "--seeds", "15").output)
    // A seed does not depend on those before it.
    let among = try simulate("--seed", "7001000", "--seeds", "15", "--verbose")
    let lines = alone.output.split(separator: "\n").dropLast()
    #expect(!lines.isEmpty && lines.allSatisfy { among.output.contains($0) })
  }

  @Test("are seen to lose writes on a disk that does not write what it is told to")
  func lyingDisk() throws {
    let (code, output) = try simulate("--seed", "7002000", "--seeds", "120", "--lying-disk")
    #expect(code == 1 && output.contains("violation of seed"), "\(output)")
  }
}
