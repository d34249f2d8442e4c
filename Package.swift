// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// Warnings are errors when the project checks itself (`make check`), never for those who depend on it.
let strict = Context.environment["SCHEMAKIT_STRICT"] != nil

// `make fuzz` builds everything with coverage and the address sanitizer.
let fuzzing = Context.environment["SCHEMAKIT_FUZZ"] != nil

// `make soak` runs the tests against a release build of the library; optimizing the tests too would take half an hour.
let soaking = Context.environment["SCHEMAKIT_SOAK"] != nil

// `make test-some` builds these folders and files of the library's tests and no others.
let chosenTests = Context.environment["SCHEMAKIT_TESTS"]?.split(separator: ",").map(String.init)

let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (strict ? [.treatAllWarnings(as: .error)] : [])
  + (fuzzing ? [.unsafeFlags(["-sanitize=fuzzer,address"])] : [])

let package = Package(
  name: "SchemaKit",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10)],
  products: [
    .library(name: "SchemaKit", targets: ["SchemaKit"]),
    .library(name: "SchemaKitOperations", targets: ["SchemaKitOperations"]),
    .library(name: "SchemaKitReports", targets: ["SchemaKitReports"]),
    .library(name: "SchemaKitCommands", targets: ["SchemaKitCommands"]),
    .library(name: "SchemaKitTesting", targets: ["SchemaKitTesting"]),
    .library(name: "SchemaKitRemote", targets: ["SchemaKitRemote"]),
    .executable(name: "schemactl", targets: ["schemactl"]),
    .plugin(name: "SchemaPlugin", targets: ["SchemaPlugin"]),
  ],
  traits: [
    .trait(name: "Macros", description: "The macro @Model, which needs swift-syntax."),
    .trait(name: "Remote", description: "schemactl reaches databases on servers, such as dqlite clusters."),
    .trait(name: "SQLCipher", description: "Encrypted databases: links SQLCipher 4 in the place of SQLite."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
  ],
  targets: [
    // What SQLite and SQLCipher declare. It links neither: SchemaKit imports the module that does.
    .systemLibrary(name: "CSQLite"),
    .systemLibrary(name: "LinkSQLite"),
    .systemLibrary(
      name: "LinkSQLCipher", pkgConfig: "sqlcipher", providers: [.apt(["libsqlcipher-dev"]), .brew(["sqlcipher"])]),
    // Schemas, their text, their differences and plans, as values. It opens nothing: no C library, no Foundation.
    .target(
      name: "SQLiteSchema",
      dependencies: [.product(name: "OrderedCollections", package: "swift-collections")],
      swiftSettings: settings
    ),
    // What the targets below use of Foundation and the C library.
    .target(name: "SchemaKitFoundation", swiftSettings: settings),
    .target(
      name: "SchemaKit",
      dependencies: [
        "CSQLite", "SQLiteSchema", "SchemaKitFoundation", "LinkSQLite",
        .target(name: "LinkSQLCipher", condition: .when(traits: ["SQLCipher"])),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "OrderedCollections", package: "swift-collections"),
        .target(name: "SchemaKitMacros", condition: .when(traits: ["Macros"])),
      ],
      swiftSettings: settings
    ),
    // What @Model writes. Without the trait it is a program that does nothing, and swift-syntax is not even resolved.
    .macro(
      name: "SchemaKitMacros",
      dependencies: [
        .product(name: "SwiftSyntax", package: "swift-syntax", condition: .when(traits: ["Macros"])),
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax", condition: .when(traits: ["Macros"])),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax", condition: .when(traits: ["Macros"])),
        .product(name: "SwiftDiagnostics", package: "swift-syntax", condition: .when(traits: ["Macros"])),
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax", condition: .when(traits: ["Macros"])),
      ],
      swiftSettings: settings
    ),
    // Schemas from SQL, files and folders, saved plans, recorded migrations, rehearsals and fleets. An app that migrates its
    // own file does without it.
    .target(
      name: "SchemaKitOperations",
      dependencies: [
        "SchemaKit", "SchemaKitFoundation", .product(name: "Logging", package: "swift-log"),
        .product(name: "OrderedCollections", package: "swift-collections"),
      ],
      swiftSettings: settings
    ),
    // What people and other tools read: plans, findings, models and pages as text. An app does without it.
    .target(
      name: "SchemaKitReports",
      dependencies: [
        "SchemaKitOperations", "SchemaKitFoundation",
        .product(name: "OrderedCollections", package: "swift-collections"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "SchemaKitCommands",
      dependencies: [
        "SchemaKitOperations", "SchemaKitReports", "SchemaKitTesting", "SchemaKitFoundation",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "TOMLKit", package: "TOMLKit"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "SchemaKitTesting", dependencies: ["SchemaKit", "SchemaKitOperations", "SchemaKitFoundation", "CSQLite"],
      swiftSettings: settings),
    // Databases on servers. Only programs that ask for it build it.
    .target(
      name: "SchemaKitRemote", dependencies: ["SchemaKit", "SQLiteSchema", "SchemaKitFoundation"],
      swiftSettings: settings),
    .executableTarget(
      name: "schemactl",
      dependencies: [
        "SchemaKitCommands", "SchemaKit", .target(name: "SchemaKitRemote", condition: .when(traits: ["Remote"])),
      ], swiftSettings: settings),
    .target(name: "NotesSample", dependencies: ["SchemaKit"], swiftSettings: settings),
    .executableTarget(
      name: "notes-schema",
      dependencies: ["NotesSample", "SchemaKitCommands"],
      swiftSettings: settings
    ),
    // `swift package schema`, in packages that have a tool on SchemaTool.
    .plugin(
      name: "SchemaPlugin",
      capability: .command(
        intent: .custom(verb: "schema", description: "Run the commands of this package's own schema tool"))),
    // Migrates a file and kills itself on the way, for the tests of what is left then.
    .executableTarget(
      name: "kill-probe", dependencies: ["SchemaKit", "SchemaKitOperations", "CSQLite"], path: "Tests/KillProbe",
      swiftSettings: settings),
    // The commands with servers, for their tests.
    .executableTarget(
      name: "remote-tool", dependencies: ["SchemaKit", "SchemaKitCommands", "SchemaKitRemote"],
      path: "Tests/RemoteTool",
      swiftSettings: settings),
    // What is done with hostile input, for the fuzzers and for a short run among the tests.
    .target(
      name: "FuzzEntries", dependencies: ["SchemaKit", "SchemaKitOperations", "SchemaKitReports", "CSQLite"],
      path: "Fuzz/Entries",
      swiftSettings: settings),
    // Random pairs of schemas with rows, and SQLite alone as their judge: for the tests and the simulation.
    .target(name: "RandomSchemas", dependencies: ["CSQLite"], path: "Tests/RandomSchemas", swiftSettings: settings),
    // Changes of files in a world where one seed decides everything: chance, time, faults, and which thread goes on.
    .target(
      name: "Simulation",
      dependencies: [
        "SchemaKit", "SchemaKitOperations", "SchemaKitReports", "SchemaKitTesting", "RandomSchemas",
        "SchemaKitFoundation",
        "CSQLite",
      ],
      path: "Tests/Simulation", swiftSettings: settings),
    .executableTarget(name: "simulate", dependencies: ["Simulation"], path: "Tests/Simulate", swiftSettings: settings),
    // Types with the names of those that an app has from Apple's frameworks.
    .target(name: "AppleNames", path: "Tests/AppleNames", swiftSettings: settings),
    .testTarget(
      name: "SchemaKitTests",
      dependencies: [
        "AppleNames", "RandomSchemas", "SchemaKit", "SchemaKitOperations", "SchemaKitReports", "SchemaKitCommands",
        "SchemaKitRemote",
        "NotesSample", "CSQLite",
        "FuzzEntries",
        "kill-probe", "remote-tool", "schemactl", "simulate",
        "notes-schema",
      ],
      exclude: ["History/Fixtures", "Scenarios/Stories"],
      sources: chosenTests,
      swiftSettings: settings + (soaking ? [.unsafeFlags(["-Onone"])] : [])
    ),
    .testTarget(
      name: "SchemaKitTestingTests", dependencies: ["SchemaKit", "SchemaKitOperations", "SchemaKitTesting", "CSQLite"],
      swiftSettings: settings
    ),
    // A filter of twenty terms on a model of a hundred columns compiles in a tenth of this time (in milliseconds).
    .testTarget(
      name: "WideModelTests", dependencies: ["SchemaKit"],
      swiftSettings: settings + [.unsafeFlags(["-Xfrontend", "-warn-long-expression-type-checking=2000"])]
    ),
  ]
)

if fuzzing {
  for (name, folder) in [("fuzz-parser", "Parser"), ("fuzz-file", "File")] {
    package.targets.append(
      .executableTarget(
        name: name, dependencies: ["FuzzEntries"], path: "Fuzz/\(folder)",
        swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])],
        linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]))
  }
}
