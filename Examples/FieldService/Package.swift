// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FieldService",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "SchemaKit", path: "../..", traits: ["Macros"])
  ],
  targets: [
    .executableTarget(name: "field-service", dependencies: [.product(name: "SchemaKit", package: "SchemaKit")])
  ]
)
