extension MigrationStep {
  /// A way to carry out a change, chosen for what it costs the data. In JSON and saved plans it is its name.
  ///
  /// Each has a file in `Plan/Strategies` that says what it applies to, what stands against it and what it costs.
  public struct Strategy: PlanCode, CustomStringConvertible {
    /// The effect of a strategy on an object.
    package enum Kind: Sendable {
      case creation, removal
      /// The object is changed where it is.
      case change
      /// All rows of a table are copied into a new one.
      case copy
      /// Rows are worked on, or put aside, without a change of the schema.
      case work
    }

    public let rawValue: String
    package let kind: Kind
    /// The beginning of the sentence that says what stands against it.
    package let refusal: String
    /// The reasons that only this strategy gives, and the motives.
    package let rejections: [Rejection.Code]
    package let motives: [Motive.Code]

    /// True if ALTER TABLE changes the table.
    package var altersTable = false
    /// True if rows are updated where they are, so that triggers must be away meanwhile.
    package var updatesRows = false
    /// True if the table is dropped and created, and with it its indexes and triggers.
    package var remakesTable = false
    /// True if a table can get its new definition by a dearer strategy as well.
    package var hasAlternative = false
    /// True if others write the table meanwhile.
    package var isOnline = false
    /// True if the program does the work.
    package var isProgramWork = false
    /// True if the tables that refer to the table are copied along.
    package var copiesChildren = false

    package init(
      _ rawValue: String, _ kind: Kind, refusal: String = "", rejections: [Rejection.Code] = [],
      motives: [Motive.Code] = [], with properties: (inout Strategy) -> Void = { _ in }
    ) {
      self.rawValue = rawValue
      self.kind = kind
      self.refusal = refusal
      self.rejections = rejections
      self.motives = motives
      properties(&self)
    }

    /// The name.
    public var description: String { rawValue }
  }
}

extension MigrationStep.Strategy {
  /// True if a new object is created.
  package var creates: Bool { kind == .creation }

  /// True if an object is dropped.
  package var drops: Bool { kind == .removal }

  /// True if all rows of a table are copied into a new one.
  package var copiesRows: Bool { kind == .copy }

  /// True if nothing but ALTER TABLE is done, which reads the definition that the table has by then.
  package var isPlainAlter: Bool { altersTable && !updatesRows }

  /// True if a new definition takes the place of the old one, so that what is not known of it would go.
  package var replacesDefinition: Bool { kind != .work && !altersTable }

  /// True if a new definition takes the place of the old one while the rows stay where they are.
  package var replacesInPlace: Bool { kind == .change && !altersTable }

  /// True if what a later step drops is put aside.
  package var putsAside: Bool { kind == .work && !isProgramWork }
}
