import Testing

@Suite("Stories")
struct StoryTests {
  @Test("a story ends as its folder tells", arguments: Story.all)
  func endsAsTold(story: Story) throws {
    try Engine.require((story.text("before.sql") ?? "") + (story.text("after.sql") ?? ""))
    if story.text("expected.txt")?.contains(/(native|catalog) .*drop column/) == true {
      try Engine.require(.dropColumn)
    }
    let told = try story.tell()
    #expect(Self.comparable(told) == Self.comparable(story.text("expected.txt") ?? ""), "\n\(told)")
  }

  /// What the catalog is edited for, newer versions do by ALTER TABLE.
  private static func comparable(_ text: String) -> String {
    Engine.has(.alterConstraints) ? text.replacing("\ncatalog ", with: "\nnative ") : text
  }

  @Test("the folders are there")
  func foldersAreThere() {
    #expect(Story.all.count >= 9)
    for story in Story.all {
      #expect(story.text("before.sql") != nil && story.text("after.sql") != nil, "\(story)")
    }
  }
}
