extension RecordStore {
  func observe(_ shape: ModelShape, _ body: @escaping (ChangeObservers.Changes) -> Void) throws -> Int {
    try connection.requireFile(.observers)
    let observers = self.observers ?? ChangeObservers(connection)
    // First, so that a commit meanwhile is told.
    let others = try commitsOfOthers()
    let number = try observers.add(to: shape, body)
    self.observers = observers
    otherCommits = others
    watchCommits()
    return number
  }

  /// Adds an observer of a value, which is woken after each commit until ``ValueObservers/observe(_:for:)`` says what it
  /// reads.
  func observeValues(_ wake: @escaping () -> Void) throws -> Int {
    try connection.requireFile(.observers)
    let observers = try valueObservers ?? ValueObservers(connection)
    otherCommits = try commitsOfOthers()
    valueObservers = observers
    watchCommits()
    return observers.add(wake)
  }

  private func commitsOfOthers() throws -> OtherCommits? {
    connection.isInMemory ? nil : try otherCommits ?? OtherCommits(on: connection)
  }

  func endObservingValues(_ number: Int) {
    valueObservers?.remove(number)
    forgetOthersIfUnobserved()
  }

  private func forgetOthersIfUnobserved() {
    if observers?.isEmpty != false, valueObservers?.isEmpty != false { otherCommits = nil }
  }

  func endObserving(_ shape: ModelShape, _ number: Int) {
    // Anything that remains, such as triggers that an open transaction keeps, ends with the connection.
    try? observers?.remove(number, from: shape)
    forgetOthersIfUnobserved()
  }

  /// Tells the observers if others have committed, and returns whether they have.
  @discardableResult
  func tellOthersCommits() -> Bool {
    guard otherCommits?.haveHappened(on: connection) == true else { return false }
    observers?.tellExternal()
    valueObservers?.tellExternal()
    return true
  }

  /// Checks after every commit whether there is anything to report or remove.
  func watchCommits() {
    guard connection.onIdle == nil else { return }
    seenChanges = connection.rawTotalChanges
    connection.onIdle = { [weak self] in self?.afterCommit() }
  }

  private func afterCommit() {
    guard !isFollowing, connection.rawTotalChanges != seenChanges else { return }
    isFollowing = true
    defer { isFollowing = false }
    // Observers may write, and what they write is reported as well.
    while connection.rawTotalChanges != seenChanges {
      seenChanges = connection.rawTotalChanges
      // No data of the program is at risk here: what fails is repeated after the next commit.
      try? attachments?.removeUnnamed()
      observers?.tell()
      valueObservers?.tell()
    }
  }
}
