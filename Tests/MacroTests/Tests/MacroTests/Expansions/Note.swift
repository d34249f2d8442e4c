import Foundation
import SchemaKit

@Model("notes") struct Note {
  @PrimaryKey(autoincrement: true) let id: Int64?
  @Check("length(title) > 0") var title: String
  @Renamed(from: "text") var body: String
  @Column("modified_at", storing: .iso8601) var modified: Date
  @Default var tags: [String] = []
  @Transient var isSelected = false

  static let indexes = [Index<Note>("notes_by_modified", on: \.modified, .descending)]
}
