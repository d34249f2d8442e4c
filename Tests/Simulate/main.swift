import Foundation
import Simulation

// simulate --seed N (--seeds N | --steps N) [--jobs N] [--shrink] [--verbose]
let words = Array(CommandLine.arguments.dropFirst())
func number(_ option: String) -> Int? {
  words.firstIndex(of: option).flatMap { $0 + 1 < words.count ? Int(words[$0 + 1]) : nil }
}
let first = number("--seed") ?? 1
let jobs = max(1, number("--jobs") ?? 1)
let steps = number("--steps")
let seeds = number("--seeds") ?? (steps == nil ? 1 : Int.max)

/// Runs every so-manieth seed in this process and prints what it finds.
func simulate(stride: Int, offset: Int) -> SimulationRun {
  var run = SimulationRun(
    first: first, stride: stride, offset: offset, steps: steps, seeds: seeds,
    onLyingDisk: words.contains("--lying-disk"))
  run.run { seed, simulation, result in
    guard words.contains("--verbose") || !result.violations.isEmpty else { return }
    print("\(simulation.description)\n\(result.steps) steps, \(result.faults) faults, \(result.ending)")
    for violation in result.violations { print("violation of seed \(seed): \(violation)") }
    guard !result.violations.isEmpty else { return }
    print("again: simulate --seed \(seed) --shrink")
    guard words.contains("--shrink") else { return }
    var shrinking = Shrinking(simulation, result)
    let (smallest, violation) = shrinking.smallest()
    print("\nthe smallest of \(shrinking.runs):\n\(smallest.description)\n\(smallest.script)\n\(violation)")
  }
  return run
}

var total: SimulationRun.Total
if let offset = number("--offset") {
  total = simulate(stride: jobs, offset: offset).total
  print("total \(total.line)")
} else if jobs == 1 {
  total = simulate(stride: 1, offset: 0).total
  print(total.summary(from: first))
} else {
  // SQLite and the simulated file system belong to a whole process, so that each job is one.
  let children = try (0..<jobs).map { offset in
    let child = Process()
    child.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    child.arguments = words + ["--offset", "\(offset)"]
    let output = Pipe()
    child.standardOutput = output
    try child.run()
    return (child, output)
  }
  total = SimulationRun.Total()
  for (child, output) in children {
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    child.waitUntilExit()
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
    for line in lines.dropLast() { print(line) }
    guard let last = lines.last, let part = SimulationRun.Total(line: last.dropFirst("total ".count)) else {
      print("a process ended before its time, with code \(child.terminationStatus)")
      exit(2)
    }
    total.add(part)
  }
  print(total.summary(from: first))
}
exit(total.violations == 0 ? 0 : 1)
