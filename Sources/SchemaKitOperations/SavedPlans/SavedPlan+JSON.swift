public import SchemaKitFoundation

extension SavedPlan {
  /// The plan as JSON with sorted keys, and a checksum over all of it.
  public func json() -> String {
    var document = SavedPlanDocument(self)
    // Only strings, integers and lists, whose encoding cannot fail.
    document.checksum = (try? SavedPlanSeal.of(Self.encoded(document))) ?? ""
    return String(decoding: Self.encoded(document), as: UTF8.self) + "\n"
  }

  static func encoded(_ document: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(document)) ?? Data()
  }

  /// True if data look like a saved plan, whatever its version and however damaged.
  package static func isSavedPlan(_ data: Data) -> Bool {
    (try? JSONDecoder().decode(Head.self, from: data))?.kind == SavedPlanDocument.kind
  }

  struct Head: Decodable {
    var kind: String?
    var formatVersion: Int?
  }

  /// Parses a saved plan.
  ///
  /// - Parameters:
  ///   - json: The result of `json()`.
  ///   - source: The name of its origin, for messages.
  /// - Throws: `SavedPlanError` for anything else, for a newer format, and for a plan that was changed by hand.
  public init(json: Data, source: String = "the saved plan") throws(SavedPlanError) {
    func problem(_ text: String) -> SavedPlanError { SavedPlanError(source: source, problem: text) }
    let head: Head
    let seal: String
    do {
      seal = try SavedPlanSeal.of(json)
    } catch {
      throw problem("not a saved plan, which schemactl plan writes: it is not JSON, or was cut short")
    }
    do { head = try JSONDecoder().decode(Head.self, from: json) } catch {
      throw problem("not a saved plan, which schemactl plan writes")
    }
    guard head.kind == SavedPlanDocument.kind, let format = head.formatVersion else {
      throw problem("not a saved plan, which schemactl plan writes: \"kind\" is not \"\(SavedPlanDocument.kind)\"")
    }
    guard format <= SavedPlanDocument.currentFormat else {
      throw problem(
        "the plan has format \(format), and this SchemaKit knows up to \(SavedPlanDocument.currentFormat)")
    }
    guard format == SavedPlanDocument.currentFormat else {
      throw SavedPlanError(
        source: source,
        problem:
          "the plan has format \(format), which this SchemaKit no longer reads. Make the plan again",
        isOutdated: true)
    }
    let document: SavedPlanDocument
    do { document = try JSONDecoder().decode(SavedPlanDocument.self, from: json) } catch {
      throw problem("the plan is damaged: a field is missing or is not what it should be")
    }
    guard document.checksum == seal else {
      throw problem("the plan was changed after it was saved: its checksum does not fit. Make the plan again")
    }
    // The checksum fits, so another version wrote it.
    guard document.steps.allSatisfy({ $0.changes.allSatisfy { $0.value != nil } }) else {
      throw problem("the plan has a change that this SchemaKit does not know. Make the plan again")
    }
    guard let target = document.target else {
      throw problem("the plan is damaged: a field is missing or is not what it should be")
    }
    try self.init(document, target: target, source: source)
  }

  init(
    _ document: SavedPlanDocument, target: SavedPlanDocument.Target, source: String
  ) throws(SavedPlanError) {
    guard let engine = SQLiteVersion(text: document.engine) else {
      throw SavedPlanError(source: source, problem: "\(document.engine) is not a version of SQLite")
    }
    var consent = try PlanPolicy(texts: document.consent, source: source)
    consent.keepsDropped = document.keepsDropped
    consent.strategy = document.strategy ?? .alter
    var plan = MigrationPlan(
      steps: document.steps.map(\.step), hazards: document.hazards.map(\.hazard), unmanaged: document.unmanaged,
      sourceFingerprint: document.source.fingerprint, targetFingerprint: target.fingerprint, engine: engine,
      areRowsExamined: document.rowsExamined)
    plan.profile = document.profile.map { EngineProfile(version: engine).limited(to: $0) }
    self.init(
      plan: plan, consent: consent, createdAt: document.createdAt, library: document.library,
      target: SavedTarget(target),
      sourceObjects: document.source.objects)
  }
}

extension PlanPolicy {
  /// Reads consent in the syntax of `--allow`.
  init(texts: [String], source: String) throws(SavedPlanError) {
    self.init()
    for text in texts {
      do { try add(allow: text) } catch {
        throw SavedPlanError(source: source, problem: "the consent \"\(text)\" is not understood: \(error.problem)")
      }
    }
  }
}

extension SQLiteVersion {
  /// Parses a version as written by `description`.
  init?(text: String) {
    let parts = text.split(separator: ".").map { Int($0) }
    guard parts.count == 3, let major = parts[0], let minor = parts[1], let patch = parts[2] else { return nil }
    self.init(major, minor, patch)
  }
}
