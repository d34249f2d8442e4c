// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
]

// A package of its own, so that nobody who depends on SchemaKit ever resolves the libraries it is compared with.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "SchemaKit", path: "..", traits: ["Macros"]),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ],
  targets: [
    .target(name: "FloorRecords", linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "records-bench",
      dependencies: [
        "FloorRecords",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "SchemaKit", package: "SchemaKit"),
      ],
      swiftSettings: settings
    ),
    .target(name: "FloorStrategies", dependencies: ["FloorRecords"], linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "strategies-bench",
      dependencies: [
        "FloorRecords",
        "FloorStrategies",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "SchemaKit", package: "SchemaKit"),
      ],
      swiftSettings: settings
    ),
    .target(name: "FloorOpening", linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "open-bench",
      dependencies: [
        "FloorOpening",
        "FloorRecords",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "SchemaKit", package: "SchemaKit"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "servers-bench",
      dependencies: [
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "SchemaKit", package: "SchemaKit"),
        .product(name: "SchemaKitRemote", package: "SchemaKit"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "changes-bench",
      dependencies: [
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "SchemaKit", package: "SchemaKit"),
      ],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
