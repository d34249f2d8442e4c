extension RecordStore {
  func observe(_ shape: ModelShape, _ body: @escaping (ChangeObservers.Changes) -> Void) throws -> Int {
    let observers = self.observers ?? ChangeObservers(connection)
    let number = try observers.add(to: shape, body)
    self.observers = observers
    watchCommits()
    return number
  }

  func endObserving(_ shape: ModelShape, _ number: Int) {
    // What stays behind, such as triggers that an open transaction keeps, ends with the connection.
    try? observers?.remove(number, from: shape)
  }

  /// Looks after every commit whether anything is to be told or removed.
  func watchCommits() {
    guard connection.onIdle == nil else { return }
    seenChanges = connection.rawTotalChanges
    connection.onIdle = { [weak self] in self?.afterCommit() }
  }

  private func afterCommit() {
    guard !isFollowing, connection.rawTotalChanges != seenChanges else { return }
    isFollowing = true
    defer { isFollowing = false }
    // Those who are told may write, and what they write is told as well.
    while connection.rawTotalChanges != seenChanges {
      seenChanges = connection.rawTotalChanges
      // Nothing of the program's data is at stake in these: what fails is done after the next commit.
      try? attachments?.removeUnnamed()
      observers?.tell()
    }
  }
}
