/// The permanent code of something that a migration could lose or break.
///
/// Scripts should test the code, never the message that comes with it. Each stands in the file of its rule in `Plan/Hazards`.
public struct HazardCode: PlanCode, CustomStringConvertible {
  public let rawValue: String
  /// The class of this code while it is active, that is, if it affects at least one row or object.
  public let hazardClass: HazardClass
  /// The meaning of the code, in a few words.
  public let title: String

  package init(_ rawValue: String, _ hazardClass: HazardClass, _ title: String) {
    self.rawValue = rawValue
    self.hazardClass = hazardClass
    self.title = title
  }

  /// The code as text: SK102.
  public var description: String { rawValue }
}

/// The severity of a hazard, and what allows a plan to run in spite of it.
public enum HazardClass: String, Sendable, Hashable, Codable, CaseIterable {
  /// Nothing is lost; for information only.
  case note
  /// Values or row numbers change; requires consent.
  case lossy
  /// Values or rows are lost; requires consent.
  case destructive
  /// The declared schema itself is broken, and the file would be too; requires consent.
  case fault
  /// The change cannot succeed with these rows; no consent helps.
  case blocked
}

/// The rule that found a hazard, with the values that its sentences need.
package struct HazardCause: Sendable, Hashable {
  package let wording: any HazardWording

  package init(_ wording: some HazardWording) { self.wording = wording }

  package static func == (left: HazardCause, right: HazardCause) -> Bool {
    AnyHashable(left.wording) == AnyHashable(right.wording)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(wording)) }
}
