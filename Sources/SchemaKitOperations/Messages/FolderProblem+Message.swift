extension FolderProblem {
  /// A description of the problem, and what to do about it.
  package var message: String {
    switch cause {
    case .noChecksums(let file):
      "has no \(file), so there is no way to tell whether a step was changed; write it with "
        + "schemactl migrations hash"
    case .changedStep:
      "is not what was recorded: it, the work on rows beside it, or the order of the steps before it, was changed. "
        + Self.afterChange
    case .addedDataFile: "came after its step was recorded. \(Self.afterChange)"
    case .unrecordedStep:
      "has no checksum; if it was written by hand, or came with a merge, look at it and run schemactl migrations hash"
    case .missingStep:
      "this step was recorded and is gone; bring it back, or fold steps with schemactl migrations squash"
    case .otherOrder:
      "names the steps in another order than their files have; move yours after theirs with schemactl migrations "
        + "rebase --base THEIRS"
    case .sameNumber(let name):
      "has the number of \(name): two branches have recorded it. Move yours after theirs with schemactl migrations "
        + "rebase --base THEIRS"
    case .replacedStepRemains(let name): "replaces \(name), which is still there: remove its files"
    case .misplacedStatement(let verb, let before, let after):
      "\(verb) would not run: of this file apply takes the schema only. Move it to \(before) or "
        + "\(after)"
    case .noSnapshot: "is missing; write it with schemactl migrations hash"
    case .otherSnapshot(let objects):
      "is not the schema that the steps lead to: \(objects.joined(separator: ", ")). Write it with schemactl migrations "
        + "hash"
    }
  }

  private static let afterChange =
    "Databases may have it already: revert the change and record another step; if nobody has it yet, run schemactl "
    + "migrations hash"
}
