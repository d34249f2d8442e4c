import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("SHA-256")
struct SHA256Tests {
  @Test(
    "the published examples of FIPS 180 and a long text",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      ("Grüße, 世界", "49837434716aa6f6917104cbba82bd5b8e82a970ddc5bfef7bcc45e3d6ea60b6"),
    ])
  func examples(text: String, digest: String) {
    #expect(SHA256.hexDigest(of: text) == digest)
  }

  @Test(
    "texts of every length about the edge of a block",
    arguments: [
      (55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
      (56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
      (63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"),
      (64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
      (65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"),
      (119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"),
      (120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"),
    ])
  func blockEdges(length: Int, digest: String) {
    #expect(SHA256.hexDigest(of: String(repeating: "a", count: length)) == digest)
  }

  @Test("a thousand printable characters")
  func long() {
    let text = String(decoding: (0..<1000).map { UInt8(32 + $0 % 95) }, as: UTF8.self)
    #expect(SHA256.hexDigest(of: text) == "9b77824be0bb583b527c708eea92fb7b9fa247a704eef26945794d6df4bc844a")
  }
}
