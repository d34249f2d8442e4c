// swift-tools-version: 6.2
import PackageDescription

// The tests of the trait Macros, in a package that depends on SchemaKit as an app does. `make check-macros` runs them.
let package = Package(
  name: "MacroTests",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "SchemaKit", path: "../..", traits: ["Macros"]),
    .package(path: "../../Examples/FieldService"),
  ],
  targets: [
    // Models in a module whose code is on the main actor unless it says otherwise, as Xcode sets up new apps.
    .target(
      name: "MainActorModels", dependencies: [.product(name: "SchemaKit", package: "SchemaKit")],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "MacroTests",
      dependencies: [
        "MainActorModels", .product(name: "SchemaKit", package: "SchemaKit"),
        // So that one build makes both.
        .product(name: "field-service", package: "FieldService"),
      ],
      exclude: ["Expansions"]),
  ]
)
