import Foundation
import SchemaKit

// Shows that models written with @Model and models written by hand are the same: the schemas of each release are equal,
// and a file goes through the releases with either.

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("field-service: \(message)\n".utf8))
  exit(1)
}

func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fail(message()) }
}

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("field-service-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

let releases = [
  (Builder.Version1.schema, Macro.Version1.schema),
  (Builder.Version2.schema, Macro.Version2.schema),
  (Builder.Version3.schema, Macro.Version3.schema),
]
for (index, (builder, macro)) in releases.enumerated() {
  let path = folder.appendingPathComponent("release-\(index + 1).db").path
  _ = try Session(at: path, schema: builder)
  let plan = try SchemaInspector(at: path).plan(to: macro)
  expect(plan.isEmpty, "release \(index + 1) differs: \(plan)")
  print("Release \(index + 1): the schema of the macro is that of the builder.")
}

let path = folder.appendingPathComponent("app.db").path
do {
  typealias Release = Macro.Version1
  let session = try Session(at: path, schema: Release.schema)
  let customer = try session.save(Release.Customer(id: nil, name: "Ada", phone: "0123"))
  guard let customerID = customer.id else { fail("a saved customer has no key") }
  let site = try session.save(Release.Site(id: nil, customerID: customerID, name: "Mill", city: "Bath"))
  guard let siteID = site.id else { fail("a saved site has no key") }
  let planned = Date(timeIntervalSince1970: 1_700_000_000)
  try session.save(Release.Visit(id: nil, siteID: siteID, planned: planned, notes: "Bring a ladder", fee: 12.5))
}
do {
  typealias Release = Builder.Version2
  let session = try Session(at: path, schema: Release.schema)
  let visit = try session.first(Release.Visit.self)
  expect(visit?.state == .planned && visit?.fee == 12.5, "the visit in release 2: \(String(describing: visit))")
  let photo = Release.Photo(id: UUID(), visitID: visit?.id, tags: ["roof"], image: Data([1, 2, 3]))
  try session.save(photo)
}
do {
  typealias Release = Macro.Version3
  let session = try Session(at: path, schema: Release.schema)
  let customer = try session.first(Release.Customer.self)
  let site = try session.first(Release.Site.self)
  let visit = try session.first(Release.Visit.self)
  let photo = try session.first(Release.Photo.self)
  expect(customer?.telephone == "0123" && customer?.level == .basic, "the customer in release 3")
  expect(site?.address == Address(street: "", city: "Bath"), "the site in release 3")
  expect(visit?.fee == 12.5 && visit?.notes == "Bring a ladder", "the visit in release 3")
  expect(photo?.tags == ["roof"] && photo?.image == Data([1, 2, 3]), "the photo in release 3")
  guard let customerID = customer?.id else { fail("the customer has no key") }
  let invoice = Release.Invoice(
    number: "2026-1", customerID: customerID, visitID: visit?.id, total: 12.5,
    lines: [InvoiceLine(text: "Visit", cents: 1250)], paid: nil)
  try session.save(invoice)
}
do {
  typealias Release = Builder.Version3
  let session = try Session(at: path, schema: Release.schema)
  let invoice = try session.find(Release.Invoice.self, "2026-1")
  expect(invoice?.total == 12.5 && invoice?.lines.first?.cents == 1250, "the invoice read with the builder's model")
}
print("One file went through three releases with all its rows.")
