import Foundation
import Testing

@testable import SchemaKitCommands
@testable import SchemaKitReports

@Suite("The schema of schemactl.toml")
struct SettingsSchemaTests {
  private static let path = "docs/schemas/schemactl.toml.schema.json"

  private let schema: [String: Any]

  init() throws {
    let url = SourceTree.root.appendingPathComponent(Self.path)
    schema = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
  }

  private func part(_ steps: String...) throws -> [String: Any] {
    try steps.reduce(schema) { try #require($0[$1] as? [String: Any], "\(steps)") }
  }

  /// What a value of a kind must be, by the code.
  private func expectation(_ kind: Setting.Kind) -> [String: Any] {
    let text: [String: Any] = ["type": "string", "minLength": 1]
    return switch kind {
    case .path: text
    case .paths: ["oneOf": [text, ["type": "array", "minItems": 1, "items": text] as [String: Any]]]
    case .texts: ["type": "array", "items": text]
    case .seconds:
      ["type": "number", "minimum": Int(Setting.seconds.lowerBound), "maximum": Int(Setting.seconds.upperBound)]
    case .flag: ["type": "boolean"]
    case .choice(let words): ["enum": words]
    }
  }

  private func text(_ value: [String: Any]) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys]), as: UTF8.self)
  }

  @Test("it has every setting of the code, with its kind of value, and no other", arguments: [false, true])
  func settings(isEnvironment: Bool) throws {
    let object = isEnvironment ? try part("definitions", "environment") : schema
    let properties = try #require(object["properties"] as? [String: [String: Any]])
    #expect(object["additionalProperties"] as? Bool == false)
    let names = Setting.allCases.map(\.rawValue) + ["to"] + (isEnvironment ? [] : ["environments", SettledRule.table])
    #expect(Set(properties.keys) == Set(names))
    for name in names {
      guard let setting = Setting(name: name) else { continue }
      var value = try #require(properties[name])
      #expect((value.removeValue(forKey: "description") as? String)?.hasSuffix(".") == true, "\(name) is not explained")
      #expect(try text(value) == text(expectation(setting.kind)), "\(name)")
    }
  }

  @Test("it has every part of a rule, and says which are required")
  func rules() throws {
    let rule = try part("definitions", "rule")
    let properties = try #require(rule["properties"] as? [String: [String: Any]])
    #expect(Set(properties.keys) == Set(ProjectRule.Field.allCases.map(\.rawValue)))
    let required = ProjectRule.Field.allCases.filter(\.isRequired).map(\.rawValue)
    #expect(rule["required"] as? [String] == required && rule["additionalProperties"] as? Bool == false)
    #expect(properties["level"]?["enum"] as? [String] == Finding.Severity.allCases.map(\.rawValue))
    #expect(properties.values.allSatisfy { ($0["description"] as? String)?.hasSuffix(".") == true })
    let lint = try part("properties", SettledRule.table)
    #expect((lint["properties"] as? [String: Any])?.keys.map { $0 } == [SettledRule.list])
  }

  private static let rule = "[[lint.rule]]\nlevel = \"note\"\nsentence = \"x\"\nselect = \"SELECT 1 AS object\"\n"

  /// Texts that schemactl takes, and texts that it does not.
  private static let samples: [(text: String, isValid: Bool)] = [
    ("", true), ("schema = \"a.sql\"", true), ("to = [\"a.sql\", \"b.sql\"]", true), ("schema = []", false),
    ("schema = \"a\"\nto = \"b\"", false), ("ignore = [\"a\"]", true), ("ignore = \"a\"", false),
    ("skip = [\"\"]", false),
    ("lock-timeout = 0.5", true), ("lock-timeout = -1", false), ("lock-timeout = \"1\"", false), ("create = 1", false),
    ("verify = \"all\"", false), ("layout = \"room\"", true), ("database = \"\"", false),
    ("allow = [\"SK101\"]", false),
    ("databse = \"a\"", false), ("[environments.a]\ndatabase = \"a.db\"", true), ("[environments.a]\nnope = 1", false),
    ("[environments.a]\nschema = \"a\"\nto = \"b\"", false), ("environments = 3", false),
    ("[environments.a.lint]\nrule = []", false), ("[lint]", true), ("[lint]\nrules = []", false), ("lint = 1", false),
    (rule + "id = \"a-1\"", true), (rule + "id = \"slug\"\npage = \"https://a\"\ntitle = \"t\"\nfix = \"f\"", true),
    (rule, false), (rule + "id = \"SL1\"", false), (rule + "id = \"sk9\"", false), (rule + "id = \"1a\"", false),
    (rule + "id = \"a b\"", false), (rule + "id = \"a\"\npage = \"x\"", false),
    (rule + "id = \"a\"\nnope = \"x\"", false),
    (rule.replacing("note", with: "warn") + "id = \"a\"", false),
  ]

  @Test(
    "it takes what schemactl takes, and refuses what it refuses",
    .enabled(if: Validators.isExpected, "the validators are not there; make setup-tests fetches them"))
  func samples() throws {
    let folder = try CommandFolder()
    for (number, sample) in Self.samples.enumerated() {
      try folder.write(sample.text, to: "\(number).toml")
      let isTaken = (try? SettingsFile(text: sample.text, path: "schemactl.toml")) != nil
      #expect(isTaken == sample.isValid, "schemactl: \(sample.text)")
    }
    let program = """
      import json, jsonschema, sys, tomllib
      schema = json.load(open(sys.argv[1]))
      jsonschema.Draft7Validator.check_schema(schema)
      validator = jsonschema.Draft7Validator(schema)
      for number in range(int(sys.argv[2])):
          print(validator.is_valid(tomllib.load(open(f"{number}.toml", "rb"))))
      """
    let schema = SourceTree.root.appendingPathComponent(Self.path).path
    let run = try CommandRun(
      ["-c", program, schema, "\(Self.samples.count)"], in: folder, program: Validators.interpreter,
      environment: Validators.environment)
    #expect(run.status == 0, "\(run.errors)")
    let answers = run.output.split(separator: "\n")
    #expect(answers.count == Self.samples.count)
    for (answer, sample) in zip(answers, Self.samples) {
      #expect((answer == "True") == sample.isValid, "the schema: \(sample.text)")
    }
  }

  @Test("the page of the commands links it")
  func link() throws {
    #expect(try Document("docs/command-line.md").links.contains("schemas/schemactl.toml.schema.json"))
  }
}
