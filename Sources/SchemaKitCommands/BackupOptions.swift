import ArgumentParser

/// The choice to copy a database before it is changed or not.
struct BackupOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Copy the database to a new file or into a folder first. By default it is copied to DATABASE.before-FINGERPRINT.db "
        + "where values are lost or replaced.",
      valueName: "file|folder"))
  var backup: String?

  @Flag(help: "Do not make a copy, even before values are lost or replaced.")
  var noBackup = false

  func validate() throws {
    guard backup == nil || !noBackup else { throw ValidationError("--backup and --no-backup contradict each other.") }
  }
}
