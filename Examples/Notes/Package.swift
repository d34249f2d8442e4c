// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Notes",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "SchemaKit", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .executableTarget(
      name: "notes",
      dependencies: [
        .product(name: "SchemaKit", package: "SchemaKit"),
        .product(name: "SchemaKitRemote", package: "SchemaKit"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    )
  ]
)
