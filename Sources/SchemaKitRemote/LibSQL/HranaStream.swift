import SchemaKit
import SchemaKitFoundation

/// The stream of statements that a server keeps for a connection, for as long as it is used.
///
/// It has identity because it is known by a word that changes with each answer, and closes itself.
final class HranaStream {
  /// The failure of a request that has no answer.
  struct Failure: Error {
    let error: RemoteError
    /// True if the server has run nothing of the request.
    var isUnsent = false
    /// True if the same request may have an answer on another stream.
    var isPassing = true
  }

  private let address: LibSQLAddress
  private let token: ServerToken?
  private let limits: LibSQLConnection.Limits
  private let client: HTTPClient
  /// The token by which the server identifies the stream; nil while there is none.
  private var baton: String?
  private var path: String
  private var lastUse = ContinuousClock.now
  /// The time for which an unused stream is kept; servers keep it for 10 seconds.
  private static let idleTime = Duration.seconds(8)

  init(at address: LibSQLAddress, token: ServerToken?, limits: LibSQLConnection.Limits) {
    self.address = address
    self.token = token
    self.limits = limits
    client = HTTPClient(mostBytes: limits.answerSize, isEncrypted: address.isEncrypted)
    path = address.path
  }

  deinit { close() }

  var isOpen: Bool { baton != nil }

  /// True if the server may have closed the stream meanwhile.
  var isStale: Bool { isOpen && ContinuousClock.now - lastUse > Self.idleTime }

  /// Sends requests, which open a stream where there is none.
  ///
  /// After any failure there is none.
  func results(
    of requests: [HranaRequest], isCancelled: () -> Bool = { false }
  ) throws(Failure) -> [HranaResult] {
    let body = HranaRequest.pipeline(requests, baton: baton)
    let bytes = try answer(to: body, at: "pipeline", isCancelled: isCancelled)
    let results = try take { () throws(RemoteError) in try HranaAnswer(pipeline: bytes) }
    guard results.count == requests.count else { throw failure(RemoteError(reason: .malformed)) }
    return results
  }

  /// Sends a query whose answer may be of any size.
  func rows(
    of sql: String, _ bindings: [SQLValue], isCancelled: () -> Bool
  ) throws(Failure) -> HranaResult {
    let body = HranaRequest.cursor(sql, bindings, baton: baton)
    let bytes = try answer(to: body, at: "cursor", isCancelled: isCancelled)
    let results = try take { () throws(RemoteError) in try HranaAnswer(cursor: bytes) }
    return results[0]
  }

  /// Lets the server close the stream, which rolls back what is open, if it can be told.
  func close() {
    guard let baton else { return }
    let url = url(of: "pipeline")
    forget()
    let body = HranaRequest.pipeline([.close], baton: baton)
    _ = try? client.post(body, to: url, token: token, within: 2, isCancelled: { false })
  }

  /// Goes on without the stream, which the server closes by itself.
  func forget() {
    baton = nil
    path = address.path
  }

  private func url(of endpoint: String) -> String {
    address.base.dropLast(address.path.count) + "\(path)/v3-protobuf/\(endpoint)"
  }

  private func take(_ read: () throws(RemoteError) -> HranaAnswer) throws(Failure) -> [HranaResult] {
    do throws(RemoteError) {
      let answer = try read()
      if let place = answer.place {
        guard let path = address.path(of: place) else {
          throw RemoteError(reason: .redirected(host: address.place, to: Self.shown(place)))
        }
        self.path = path
      }
      baton = answer.baton
      lastUse = .now
      return answer.results
    } catch {
      throw failure(error)
    }
  }

  private func answer(
    to body: [UInt8], at endpoint: String, isCancelled: () -> Bool
  ) throws(Failure) -> [UInt8] {
    let url = url(of: endpoint)
    let begin = ContinuousClock.now
    let hadStream = isOpen
    let answer: HTTPClient.Answer
    do throws(RemoteError) {
      answer = try client.post(
        body, to: String(url), token: token, within: limits.answering, isCancelled: isCancelled)
    } catch {
      throw failure(error)
    }
    guard answer.status != 200 else { return answer.body }
    throw failure(answer, hadStream: hadStream, after: .now - begin)
  }

  private func failure(_ error: RemoteError) -> Failure {
    forget()
    switch error.reason {
    case .connectionLost, .unreachable, .timedOut: return Failure(error: error)
    default: return Failure(error: error, isPassing: false)
    }
  }

  /// Returns the failure for a status other than 200.
  private func failure(_ answer: HTTPClient.Answer, hadStream: Bool, after time: Duration) -> Failure {
    forget()
    let words = words(answer.body)
    func final(_ reason: RemoteError.Reason) -> Failure {
      Failure(error: RemoteError(reason: reason), isUnsent: true, isPassing: false)
    }
    func lost(_ problem: String) -> Failure {
      Failure(error: RemoteError(reason: .connectionLost(problem: problem)))
    }
    switch answer.status {
    case 301, 302, 303, 307, 308:
      return final(.redirected(host: address.place, to: Self.shown(answer.location ?? "")))
    case 401, 403: return final(.unauthorized(host: address.place))
    case 404, 405: return final(.otherProtocol(host: address.place))
    case 400 where hadStream:
      // A request that was sent twice on the way is refused too, and only an early refusal is one for lack of use.
      var lost = lost("\(address.place) does not know the stream any more")
      lost.isUnsent = time < .seconds(5) && (try? HranaError(answer.body[...]))?.isExpiry == true
      return lost
    case 408, 429, 502, 503, 504: return lost("\(address.place) answers with the status \(answer.status)")
    default:
      return Failure(
        error: RemoteError(reason: .refused(status: answer.status, problem: words)), isPassing: false)
    }
  }

  /// The message in the body of an error, for people.
  private func words(_ body: [UInt8]) -> String {
    struct Document: Decodable { var error: String }
    let text =
      (try? JSONDecoder().decode(Document.self, from: Data(body)))?.error
      ?? String(decoding: body.prefix(1_000), as: UTF8.self)
    let line = text.split(whereSeparator: { $0.isNewline || $0.isWhitespace }).joined(separator: " ")
    var short = String(line.filter { !$0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f } }.prefix(200))
    while short.last == "." { short.removeLast() }
    return token?.removed(from: short) ?? short
  }

  /// A place that a server names, without what may be a secret.
  private static func shown(_ place: String) -> String {
    let shown = place.prefix { $0 != "?" && $0 != "#" }.prefix(200).filter { $0 > " " && $0 <= "~" }
    return shown.contains("@") || shown.isEmpty ? "another place" : shown
  }
}
