// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FieldService",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "SchemaKit", path: "../..", traits: ["Macros"])
  ],
  targets: [
    // Values that both kinds of models store.
    .target(name: "FieldServiceTypes", dependencies: [.product(name: "SchemaKit", package: "SchemaKit")]),
    .target(
      name: "BuilderModels", dependencies: ["FieldServiceTypes", .product(name: "SchemaKit", package: "SchemaKit")]),
    .target(
      name: "MacroModels", dependencies: ["FieldServiceTypes", .product(name: "SchemaKit", package: "SchemaKit")]),
    .executableTarget(
      name: "field-service",
      dependencies: [
        "BuilderModels", "FieldServiceTypes", "MacroModels", .product(name: "SchemaKit", package: "SchemaKit"),
      ]),
  ]
)
