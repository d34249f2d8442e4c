import ArgumentParser
import SchemaKit
import SchemaKitReports

enum CheckFormat: String, ExpressibleByArgument, CaseIterable { case text, json, github, sarif, junit, markdown }

extension FailureThreshold: ExpressibleByArgument {}

/// The options for how findings are printed, and which of them fail the command.
struct FindingOptions: ParsableArguments {
  @Option(
    help:
      "The format of the answer: text; json; github, annotations for its actions; sarif, for code scanning; junit; markdown, a comment for a pull request."
  )
  var format = CheckFormat.text
  @Option(
    name: .customLong("fail-on"),
    help: ArgumentHelp(
      "From which severity on findings fail the command: error, which is the default of check; warning, that of lint; or never.",
      valueName: "severity"))
  var givenFailOn: FailureThreshold?
  @Option(
    help: ArgumentHelp(
      "The current folder as seen from the root of the repository, for the paths in github, sarif, junit and markdown.",
      valueName: "folder"))
  var pathPrefix: String?

  /// The findings in a form for other programs; empty in one that only a command knows.
  func text(
    _ questions: [CheckedQuestion], program: String, title: String, failOn threshold: FailureThreshold = .error
  ) -> String {
    let report = FindingsReport(
      program: program, title: title, questions: questions, failOn: givenFailOn ?? threshold, pathPrefix: pathPrefix)
    return switch format {
    case .text, .json: ""
    case .github: report.github()
    case .sarif: report.sarif()
    case .junit: report.junit()
    case .markdown: report.markdown()
    }
  }
}
