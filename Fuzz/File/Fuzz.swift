import Foundation
import FuzzEntries

// SwiftPM gives a program a `main` of its own, so that libFuzzer's cannot be used, only what it calls.
// https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ entry: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

@main
struct Fuzz {
  static func main() {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    let status = runFuzzer(&count, &arguments) { start, count in
      do {
        try DatabaseFileFuzz.run(Array(UnsafeBufferPointer(start: start, count: count)))
      } catch {
        // libFuzzer keeps the input of a run that ends the process.
        fatalError("\(error)")
      }
      return 0
    }
    exit(status)
  }
}
