/// Something that must not happen, whatever the input.
package struct FuzzFinding: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}
