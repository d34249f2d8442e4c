/// A full-text index that is filled from all rows of its content.
package struct FullTextFilling: Sendable, Hashable {
  /// The content, as the target calls it.
  package var content: SQLName
  /// The way in which triggers feed the index until then, or will feed it if it is new.
  package var feed: FullTextFeed
  /// True if it was not there before.
  package var isNew: Bool
  /// Where the index lists the rows that it knows now; nil if it does not.
  package var rowList: FullTextIndex.RowList?

  package init(content: SQLName, feed: FullTextFeed, isNew: Bool, rowList: FullTextIndex.RowList?) {
    self.content = content
    self.feed = feed
    self.isNew = isNew
    self.rowList = rowList
  }
}
