import Foundation

/// The keyed archives in which the older app kept the images of a note.
enum LegacyArchive {
  struct Unreadable: Error {}

  private static let className = "NotesApp.ImageDescriptor"

  /// Whether bytes look like an archive.
  static func isOne(_ data: Data) -> Bool { data.starts(with: Data("bplist".utf8)) }

  /// What the app wrote for a note with images.
  static func data(of images: [ImageDescriptor]) throws -> Data {
    archived(NSArray(array: images.map { ArchivedImage($0) }))
  }

  /// What the app wrote for a note without images, in the belief that NULL could not be stored.
  static func null() -> Data { archived(NSNull()) }

  /// What an app wrote for an array of texts.
  static func data(of texts: [String]) -> Data { archived(NSArray(array: texts.map { NSString(string: $0) })) }

  private static func archived(_ root: NSObject) -> Data {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.setClassName(className, for: ArchivedImage.self)
    archiver.encode(root, forKey: NSKeyedArchiveRootObjectKey)
    archiver.finishEncoding()
    return archiver.encodedData
  }

  /// The images in an archive; none when it holds the marker for none.
  static func images(in data: Data) throws -> [ImageDescriptor] {
    let root = try root(of: data)
    if root is NSNull { return [] }
    guard let images = root as? [ArchivedImage] else { throw Unreadable() }
    return images.map(\.image)
  }

  /// The texts in an archive.
  static func texts(in data: Data) throws -> [String] {
    guard let texts = try root(of: data) as? [String] else { throw Unreadable() }
    return texts
  }

  private static func root(of data: Data) throws -> Any {
    guard isOne(data) else { throw Unreadable() }
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
    unarchiver.requiresSecureCoding = false
    unarchiver.setClass(ArchivedImage.self, forClassName: className)
    defer { unarchiver.finishDecoding() }
    guard let root = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) else { throw Unreadable() }
    return root
  }
}

/// A descriptor as the older app archived it: the frame as text in bytes, and the name. NSCoding asks for a class.
final class ArchivedImage: NSObject, NSCoding {
  let image: ImageDescriptor

  init(_ image: ImageDescriptor) { self.image = image }

  func encode(with coder: NSCoder) {
    let frame = image.frame
    let text = "{{\(frame.x), \(frame.y)}, {\(frame.width), \(frame.height)}}"
    coder.encode(NSData(data: Data(text.utf8)), forKey: "frameData")
    coder.encode(NSString(string: image.imageName), forKey: "imageName")
  }

  required init?(coder: NSCoder) {
    guard let frame = coder.decodeObject(forKey: "frameData") as? Data,
      let name = coder.decodeObject(forKey: "imageName") as? String
    else { return nil }
    let numbers = String(decoding: frame, as: UTF8.self).split { "{}, ".contains($0) }.compactMap { Double($0) }
    guard numbers.count == 4 else { return nil }
    image = ImageDescriptor(name, x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}
