import CCurl

/// The options of one easy handle (`curl_easy_setopt(3)`), and the lists that must outlive it.
///
/// The handle is its maker's, who keeps it alive for as long as this.
@safe struct TransferOptions: ~Copyable {
  private let easy: UnsafeMutableRawPointer
  private var headers: UnsafeMutablePointer<curl_slist>?
  private var url: OpaquePointer?

  /// The first refusal, or `CURLE_OK`.
  private(set) var result = CURLE_OK

  init(_ easy: UnsafeMutableRawPointer) {
    unsafe self.easy = easy
  }

  /// Frees the lists; to be called when the transfer is over.
  mutating func free() {
    unsafe curl_slist_free_all(headers)
    unsafe curl_url_cleanup(url)
    unsafe headers = nil
    unsafe url = nil
  }

  /// Sets everything; `result` says whether libcurl took it.
  mutating func apply(
    _ request: HTTPRequest, _ address: WebAddress, _ configuration: HTTPClient.Configuration,
    _ sink: TransferSink
  ) {
    limits(request)
    route(address, configuration)
    content(request, configuration)
    unsafe callbacks(Unmanaged.passUnretained(sink).toOpaque())
  }

  private mutating func limits(_ request: HTTPRequest) {
    // Without this libcurl uses SIGALRM for its time-outs.
    set(CURLOPT_NOSIGNAL, 1)
    // A cancelled look-up is left to end by itself instead of being waited for.
    set(CURLOPT_QUICK_EXIT, 1)
    set(CURLOPT_TIMEOUT_MS, Self.milliseconds(request.timeout))
    set(CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(request.connectTimeout))
    check(
      unsafe tv_curl_set_size(
        easy, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(request.maximumBodyLength)))
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_FRESH_CONNECT, 1)
    set(CURLOPT_FORBID_REUSE, 1)
  }

  private mutating func route(
    _ address: WebAddress, _ configuration: HTTPClient.Configuration
  ) {
    unsafe url = curl_url()
    if let url = unsafe url {
      if unsafe curl_url_set(url, CURLUPART_URL, address.text, UInt32(CURLU_DISALLOW_USER))
        != CURLUE_OK
      {
        check(CURLE_URL_MALFORMAT)
      }
      check(unsafe tv_curl_set_url(easy, url))
    } else {
      check(CURLE_OUT_OF_MEMORY)
    }
    set(CURLOPT_PROTOCOLS_STR, address.isSecure ? "https" : "http")
    check(unsafe tv_curl_set_versions(easy))
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    if let caFile = configuration.caFile {
      set(CURLOPT_CAINFO, caFile)
      // Debian builds libcurl with a directory too, which would go on being trusted beside the file.
      check(unsafe tv_curl_set_pointer(easy, CURLOPT_CAPATH, nil))
    }
    // An empty proxy switches the environment's off. A loopback address is never proxied: it
    // means this machine only here, and plain http would leave it.
    set(CURLOPT_PROXY, address.isLoopback ? "" : configuration.proxy ?? "")
    set(CURLOPT_NOPROXY, "")
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
  }

  private mutating func content(
    _ request: HTTPRequest, _ configuration: HTTPClient.Configuration
  ) {
    set(CURLOPT_USERAGENT, configuration.userAgent)
    if request.method == .post {
      let body = request.body ?? []
      set(CURLOPT_POST, 1)
      check(
        unsafe tv_curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
      // libcurl copies, by the size set above.
      unsafe body.withUnsafeBytes { bytes in
        check(
          unsafe tv_curl_set_pointer(
            easy, CURLOPT_COPYPOSTFIELDS,
            UnsafeMutableRawPointer(mutating: bytes.baseAddress ?? UnsafeRawPointer(easy))))
      }
    }
    // No waiting for "100 Continue".
    append("Expect:")
    for (name, value) in request.headers {
      append(value.isEmpty ? "\(name);" : "\(name): \(value)")
    }
    check(unsafe tv_curl_set_list(easy, CURLOPT_HTTPHEADER, headers))
  }

  private mutating func callbacks(_ sink: UnsafeMutableRawPointer) {
    check(
      unsafe tv_curl_set_data_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, sink in
        unsafe TransferOptions.deliver(bytes, size * count, sink) { sink, bytes in
          unsafe sink.receiveBody(bytes)
        }
      })
    check(unsafe tv_curl_set_pointer(easy, CURLOPT_WRITEDATA, sink))
    check(
      unsafe tv_curl_set_data_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, sink in
        unsafe TransferOptions.deliver(bytes, size * count, sink) { sink, bytes in
          unsafe sink.receiveHeader(bytes)
        }
      })
    check(unsafe tv_curl_set_pointer(easy, CURLOPT_HEADERDATA, sink))
    check(
      unsafe tv_curl_set_request_callback(easy) { sink, _, _, _, _ in
        guard let sink = unsafe sink else { return CURL_PREREQFUNC_ABORT }
        unsafe Unmanaged<TransferSink>.fromOpaque(sink).takeUnretainedValue().requestBegins()
        return CURL_PREREQFUNC_OK
      })
    check(unsafe tv_curl_set_pointer(easy, CURLOPT_PREREQDATA, sink))
  }

  private static func deliver(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ sink: UnsafeMutableRawPointer?,
    _ body: (TransferSink, UnsafeRawBufferPointer) -> Bool
  ) -> Int {
    guard let sink = unsafe sink else { return 0 }
    let target = unsafe Unmanaged<TransferSink>.fromOpaque(sink).takeUnretainedValue()
    let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    // Any other number than `count` makes libcurl end the transfer.
    return unsafe body(target, buffer) ? count : count + 1
  }

  private mutating func append(_ line: String) {
    guard let longer = unsafe curl_slist_append(headers, line) else {
      return check(CURLE_OUT_OF_MEMORY)
    }
    unsafe headers = longer
  }

  private mutating func set(_ option: CURLoption, _ value: Int) {
    check(unsafe tv_curl_set_long(easy, option, value))
  }

  private mutating func set(_ option: CURLoption, _ value: String) {
    check(unsafe tv_curl_set_text(easy, option, value))
  }

  private mutating func check(_ code: CURLcode) {
    if result == CURLE_OK { result = code }
  }

  private static func milliseconds(_ duration: Duration) -> Int {
    // Zero would mean "for ever" to libcurl.
    let parts = duration.components
    return max(1, Int(parts.seconds) * 1000 + Int(parts.attoseconds / 1_000_000_000_000_000))
  }
}
