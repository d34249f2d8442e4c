import Foundation
import Testing

@Suite("The page about troubleshooting")
struct TroubleshootingTests {
  @Test("explains messages that the program has")
  func messages() throws {
    let page = try Document("docs/troubleshooting.md").prose.joined(separator: "\n")
    let messages = page.matches(of: /\*\*`([^`]+)`/).map { String($0.output.1) }
    let sources = try SourceTree.swiftFiles(in: "Sources").map(\.text).joined()
    #expect(messages.count > 20)
    for message in messages { #expect(sources.contains(message), "no message has \"\(message)\"") }
  }
}
