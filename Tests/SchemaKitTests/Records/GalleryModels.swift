import Foundation
import SchemaKit

/// Models that name attachments in every way there is.
enum Gallery {
  static let schema = ModelSchema {
    Picture.self
    Slide.self
    Frame.self
  }

  /// An attachment, which is also something of the testing library.
  typealias File = FileAttachment

  /// Why a transaction is rolled back.
  struct Regret: Error {}

  struct Picture: Model, Hashable {
    let id: Int64?
    var title: String
    var image: FileAttachment?

    static let table = ModelTable("pictures", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("title", \.title)
      Column("image", \.image)
    }
  }

  /// Names in a JSON column, in rows that go when their picture goes.
  struct Slide: Model, Hashable {
    let id: Int64?
    let picture: Int64?
    var body: Body

    struct Body: JSONColumnValue, AttachmentHolder, Hashable {
      var text: String
      var images: [FileAttachment]
      var sound: FileAttachment?
      var attachments: [FileAttachment] { images + sound.attachments }
    }

    static let table = ModelTable("slides", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("picture", \.picture).references(Picture.self, onDelete: .cascade)
      Column("body", \.body)
    }
  }

  /// A name that is never nil and a list of names, in a table without rowids.
  struct Frame: Model, Hashable {
    let name: String
    var cover: FileAttachment
    var more: [FileAttachment]?

    static let table = ModelTable("frames", as: Self.init) {
      Column("name", \.name).primaryKey()
      Column("cover", \.cover)
      Column("more", \.more)
    }.withoutRowID()
  }
}
