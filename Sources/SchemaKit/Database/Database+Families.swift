// Each function calls its counterpart in `Session`, in one hop.

extension Database {
  /// Saves an object together with those of another model that refer to it: all of them or none. See
  /// `Session.save(_:with:via:_:)`.
  ///
  /// ```swift
  /// let (customer, sites) = try await db.save(customer, with: sites, .replacing)
  /// ```
  @discardableResult
  public func save<Parent: Model, Child: Model>(
    _ parent: Parent, with children: some Sequence<Child> & Sendable,
    via path: (any PartialKeyPath<Child> & Sendable)? = nil, _ policy: ChildPolicy = .adding
  ) throws -> (Parent, [Child]) {
    try run { try $0.save(parent, with: children, via: path, policy) }
  }

  /// Saves an object together with its children and theirs: all of them or none. See
  /// `Session.save(_:with:via:grandchildrenVia:_:)`.
  @discardableResult
  public func save<Parent: Model, Child: Model, Grandchild: Model>(
    _ parent: Parent, with children: some Sequence<(Child, [Grandchild])> & Sendable,
    via path: (any PartialKeyPath<Child> & Sendable)? = nil,
    grandchildrenVia grandchildPath: (any PartialKeyPath<Grandchild> & Sendable)? = nil,
    _ policy: ChildPolicy = .adding
  ) throws -> (Parent, [(Child, [Grandchild])]) {
    try run { try $0.save(parent, with: children, via: path, grandchildrenVia: grandchildPath, policy) }
  }
}
