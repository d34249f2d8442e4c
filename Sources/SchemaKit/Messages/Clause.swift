extension String {
  /// A sentence as a part of a longer one. What a program's own error says of itself ends with a full stop or does not.
  package var clause: String { hasSuffix(".") ? String(dropLast()) : self }
}
