import Foundation
import SchemaKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends a request over HTTP and waits for the answer.
///
/// Certificates are verified, nothing is kept between requests but the connection, and no redirection is followed. It has
/// identity because it owns a session, which ends with it.
final class HTTPClient {
  struct Answer {
    var status: Int
    /// Where the server sends to; nil where it does not.
    var location: String?
    var body: [UInt8]
  }

  private let session: URLSession
  private let exchange: HTTPExchange

  /// The queue that takes answers. Data that was received waits in memory for it. It has a thread of its own, however
  /// many of the global ones wait, so an answer that is too large is noticed at once. `OperationQueue` does not keep
  /// it.
  private static let queue = DispatchQueue(label: "SchemaKit.http")

  /// - Parameters:
  ///   - mostBytes: The largest answer that is taken.
  ///   - isEncrypted: True if a proxy cannot read the request.
  init(mostBytes: Int, isEncrypted: Bool) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCredentialStorage = nil
    #if canImport(Darwin)
      if !isEncrypted { configuration.connectionProxyDictionary = [:] }
    #endif
    // Ours end it first.
    configuration.timeoutIntervalForRequest = 86_400
    configuration.timeoutIntervalForResource = 86_400
    exchange = HTTPExchange(mostBytes: mostBytes)
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.underlyingQueue = Self.queue
    session = URLSession(configuration: configuration, delegate: exchange, delegateQueue: queue)
  }

  /// No request goes on by then. `invalidateAndCancel` would read the list of tasks while Foundation on Linux takes the last one
  /// out of it on another thread.
  deinit { session.finishTasksAndInvalidate() }

  /// - Parameters:
  ///   - seconds: The time limit for the answer.
  ///   - isCancelled: True if the request is to be given up; asked while the answer is awaited.
  /// - Throws: ``RemoteError``: `unreachable`, `connectionLost`, `timedOut`, `answerTooLarge`, `cancelled`.
  func post(
    _ body: [UInt8], to address: String, token: ServerToken?, within seconds: Double, isCancelled: () -> Bool
  ) throws(RemoteError) -> Answer {
    guard let url = URL(string: address) else {
      throw RemoteError(reason: .address(address, problem: "it is not a URL"))
    }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = Data(body)
    request.setValue("application/x-protobuf", forHTTPHeaderField: "Content-Type")
    // sqld would compress with Brotli, which took it a minute for 40 MB.
    request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    // It would be waited for before a large body is sent.
    request.setValue("", forHTTPHeaderField: "Expect")
    if let token { request.setValue("Bearer \(token.value)", forHTTPHeaderField: "Authorization") }
    let end = ContinuousClock.now + .seconds(seconds)
    let task = session.dataTask(with: request)
    exchange.begin(task.taskIdentifier)
    task.resume()
    while true {
      if let outcome = exchange.outcome(within: 0.05) { return try outcome.get() }
      if isCancelled() || .now >= end {
        exchange.begin(0)
        task.cancel()
        throw RemoteError(reason: isCancelled() ? .cancelled : .timedOut(seconds))
      }
    }
  }
}

/// The state of an answer. Its fields belong to `condition`.
private final class HTTPExchange: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let condition = NSCondition()
  private let mostBytes: Int
  private var task = 0
  private var answer = HTTPClient.Answer(status: 0, location: nil, body: [])
  private var result: Result<HTTPClient.Answer, RemoteError>?

  init(mostBytes: Int) { self.mostBytes = mostBytes }

  /// Waits for another task. Data that still comes for the one before is ignored.
  func begin(_ task: Int) {
    condition.withLock {
      self.task = task
      answer = HTTPClient.Answer(status: 0, location: nil, body: [])
      result = nil
    }
  }

  /// The outcome of the task; nil while it goes on.
  func outcome(within seconds: Double) -> Result<HTTPClient.Answer, RemoteError>? {
    condition.withLock {
      if result == nil { _ = condition.wait(until: Date(timeIntervalSinceNow: seconds)) }
      defer { if result != nil { answer.body = [] } }
      return result
    }
  }

  private func note(_ task: URLSessionTask, _ change: () -> Void) {
    condition.withLock {
      guard task.taskIdentifier == self.task, result == nil else { return }
      change()
      if result != nil { condition.signal() }
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    note(task) {
      answer.status = response.statusCode
      answer.location = response.value(forHTTPHeaderField: "Location") ?? ""
      result = .success(answer)
    }
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    note(dataTask) {
      guard let response = response as? HTTPURLResponse else { return }
      answer.status = response.statusCode
      answer.location = response.value(forHTTPHeaderField: "Location")
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    note(dataTask) {
      if answer.body.count + data.count > mostBytes {
        result = .failure(RemoteError(reason: .answerTooLarge(mostBytes)))
        dataTask.cancel()
      } else {
        data.withUnsafeBytes { answer.body.append(contentsOf: $0) }
      }
    }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    note(task) {
      guard let error else {
        result = answer.status == 0 ? .failure(RemoteError(reason: .malformed)) : .success(answer)
        return
      }
      result = .failure(Self.remoteError(error, at: task.originalRequest?.url))
    }
  }

  private static func remoteError(_ error: any Error, at url: URL?) -> RemoteError {
    var words = error.localizedDescription
    while words.last == "." { words.removeLast() }
    let host = url?.host ?? ""
    switch (error as? URLError)?.code {
    case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .secureConnectionFailed,
      .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
      .serverCertificateHasUnknownRoot, .clientCertificateRejected, .clientCertificateRequired,
      .notConnectedToInternet:
      let port = url?.port.map { ":\($0)" } ?? ""
      return RemoteError(reason: .unreachable([host + port], problem: words))
    default: return RemoteError(reason: .connectionLost(problem: words))
    }
  }
}
