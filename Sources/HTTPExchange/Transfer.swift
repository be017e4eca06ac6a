import CCurl

/// One exchange by libcurl: its options, its loop, and the meaning of its result.
struct Transfer: Sendable {
  let request: HTTPRequest
  let address: WebAddress
  let configuration: HTTPClient.Configuration
  let bell: TransferBell

  /// The longest wait between two looks at the bell, should a wake-up be lost.
  private static let longestPoll: CInt = 1000

  /// Makes an error about this exchange.
  func failure(
    _ code: HTTPError.Code, _ reason: String = "", sent: Bool = false
  ) -> HTTPError {
    HTTPError(code, requestWasSent: sent, endpoint: address.endpoint, reason: reason)
  }

  /// Performs the exchange; blocks until it is done, failed, timed out or cancelled.
  ///
  /// - Parameter completion: called once with the outcome, before the connection and what was read
  ///   for it (with TLS the whole bundle of certificates) are put away: nobody waits for that.
  func run(_ completion: (Result<HTTPResponse, HTTPError>) -> Void) {
    guard let easy = unsafe curl_easy_init() else { return completion(.failure(failure(.setup))) }
    defer { unsafe curl_easy_cleanup(easy) }
    guard let multi = unsafe curl_multi_init() else {
      return completion(.failure(failure(.setup)))
    }
    defer { unsafe curl_multi_cleanup(multi) }

    let sink = TransferSink(maximumBodyLength: request.maximumBodyLength)
    var options = unsafe TransferOptions(easy)
    defer { options.free() }
    options.apply(request, address, configuration, sink)
    guard options.result == CURLE_OK else {
      return completion(.failure(failure(.setup, Self.text(options.result))))
    }

    unsafe bell.connect(multi)
    defer { unsafe bell.connect(nil) }
    unsafe curl_multi_add_handle(multi, easy)
    defer { unsafe curl_multi_remove_handle(multi, easy) }
    let result = unsafe perform(multi)
    completion(withExtendedLifetime(sink) { unsafe outcome(result, easy, sink) })
  }

  /// Drives the transfer to its end; nil if the bell rang.
  private func perform(_ multi: UnsafeMutableRawPointer) -> CURLcode? {
    var running: CInt = 1
    while !bell.isRung {
      guard unsafe curl_multi_perform(multi, &running) == CURLM_OK else {
        return CURLE_FAILED_INIT
      }
      if running == 0 {
        let code = unsafe tv_curl_finished(multi)
        return code < 0 ? CURLE_FAILED_INIT : CURLcode(UInt32(code))
      }
      guard unsafe curl_multi_poll(multi, nil, 0, Self.longestPoll, nil) == CURLM_OK else {
        return CURLE_FAILED_INIT
      }
    }
    return nil
  }

  private func outcome(
    _ result: CURLcode?, _ easy: UnsafeMutableRawPointer, _ sink: TransferSink
  ) -> Result<HTTPResponse, HTTPError> {
    let sent = sink.requestWasSent
    guard let result else { return .failure(failure(.cancelled, sent: sent)) }
    guard result == CURLE_OK else {
      if sink.overflowed { return .failure(failure(.bodyTooLarge, sent: sent)) }
      return .failure(unsafe failure(result, easy, sent: sent))
    }
    let status = unsafe tv_curl_get_long(easy, CURLINFO_RESPONSE_CODE)
    guard status > 0 else { return .failure(failure(.malformed, sent: sent)) }
    let microseconds = unsafe tv_curl_get_size(easy, CURLINFO_TOTAL_TIME_T)
    return .success(
      HTTPResponse(
        status: status, headers: sink.headers, body: sink.body,
        duration: .microseconds(microseconds)))
  }

  /// Reads a code of `libcurl-errors(3)`.
  ///
  /// libcurl's own error text may quote what the server sent, so it is not passed on.
  private func failure(
    _ result: CURLcode, _ easy: UnsafeMutableRawPointer, sent: Bool
  ) -> HTTPError {
    let connectAnswer = unsafe tv_curl_get_long(easy, CURLINFO_HTTP_CONNECTCODE)
    if !sent, connectAnswer != 0, !(200...299).contains(connectAnswer) {
      return failure(.proxyFailed, "it answered \(connectAnswer)")
    }
    switch result {
    case CURLE_COULDNT_RESOLVE_HOST:
      return failure(.resolve, sent: sent)
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY:
      return failure(.proxyFailed, sent: sent)
    case CURLE_COULDNT_CONNECT:
      let usesProxy = configuration.proxy != nil && !address.isLoopback
      return failure(usesProxy ? .proxyFailed : .connect, sent: sent)
    case CURLE_OPERATION_TIMEDOUT:
      return failure(.timeout, sent: sent)
    case CURLE_FILESIZE_EXCEEDED:
      return failure(.bodyTooLarge, sent: sent)
    case CURLE_PEER_FAILED_VERIFICATION:
      let verdict = unsafe tv_curl_get_long(easy, CURLINFO_SSL_VERIFYRESULT)
      return failure(.tls, CertificateVerdict.text(verdict), sent: sent)
    case CURLE_SSL_CACERT_BADFILE:
      return failure(.setup, "the file of trusted certificates cannot be read", sent: sent)
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_USE_SSL_FAILED, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_CLIENTCERT, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_SHUTDOWN_FAILED:
      return failure(.tls, Self.text(result), sent: sent)
    case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE,
      CURLE_HTTP2, CURLE_HTTP2_STREAM:
      return failure(.connectionLost, sent: sent)
    case CURLE_URL_MALFORMAT:
      return failure(.forbiddenURL, sent: sent)
    default:
      return failure(sent ? .malformed : .setup, Self.text(result), sent: sent)
    }
  }

  private static func text(_ result: CURLcode) -> String {
    guard let text = unsafe curl_easy_strerror(result) else { return "" }
    return unsafe String(cString: text)
  }
}
