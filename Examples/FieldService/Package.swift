// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FieldService",
  platforms: [.macOS(.v14)],
  products: [.executable(name: "field-service", targets: ["field-service"])],
  dependencies: [
    .package(name: "SchemaKit", path: "../..", traits: ["Macros"])
  ],
  targets: [
    .executableTarget(name: "field-service", dependencies: [.product(name: "SchemaKit", package: "SchemaKit")])
  ]
)
