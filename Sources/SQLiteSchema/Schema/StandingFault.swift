/// A way in which rows differ from what their own table declares, before anything is changed.
///
/// SQLite never writes such rows by itself. They come from an edit of the catalog, from checks that were switched off, or
/// from another engine.
package enum StandingFault: Sendable, Hashable {
  /// A value that the column's type would store as another value, or that a STRICT type refuses.
  case mismatch(type: String, holding: [StorageClass], isStrict: Bool)
  /// NULL under NOT NULL.
  case null
  /// A row that fails a CHECK, or for which SQLite fails to compute it, with its error.
  case check(String, error: String? = nil)
  /// A stored generated value other than the one that this SQLite computes.
  case staleValue
  /// An index that has no entry for some rows.
  case lackingIndex(SQLName)
  /// Rows are equal in a unique index, which has not the entries of all of them.
  case equalRows(SQLName)
  /// An index that cannot be made anew, since SQLite fails to compute it for a row, with its error.
  case failingIndex(SQLName, error: String)
  /// A number in a REAL column, too large to be told from its neighbours, of which an index may hold all digits.
  case largeNumber

  /// The storage classes of SQLite. See [Datatypes](https://sqlite.org/datatype3.html#storage_classes_and_datatypes).
  package enum StorageClass: String, Sendable, Hashable {
    case integer, real, text, blob
  }

  /// True if an UPDATE of such a row changes a value that it does not name, or fails. A number that it rounds matters to indexes alone.
  package var isTouchedByUpdate: Bool { self != .largeNumber }

  /// True if the rows are worth a word by themselves.
  package var isNoted: Bool {
    switch self {
    case .mismatch, .null, .check: true
    case .staleValue, .lackingIndex, .equalRows, .failingIndex, .largeNumber: false
    }
  }
}
