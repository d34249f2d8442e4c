extension String {
  /// A sentence as a part of a longer one. The description of a program's own error ends with a full stop or does not.
  package var clause: String { hasSuffix(".") ? String(dropLast()) : self }
}
