extension RecordStore {
  /// Closes the connection, and ends all observations.
  func close() throws {
    try connection.close()
    observers = nil
    valueObservers = nil
    otherCommits = nil
  }
}
