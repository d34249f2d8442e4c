// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Bookshop",
  platforms: [.macOS(.v14)],
  products: [
    .library(name: "BookshopModels", targets: ["BookshopModels"]),
    .executable(name: "bookshop-schema", targets: ["bookshop-schema"]),
  ],
  dependencies: [.package(name: "SchemaKit", path: "../..")],
  targets: [
    .target(name: "BookshopModels", dependencies: [.product(name: "SchemaKit", package: "SchemaKit")]),
    .executableTarget(
      name: "bookshop-schema",
      dependencies: ["BookshopModels", .product(name: "SchemaKitCommands", package: "SchemaKit")]
    ),
  ]
)
