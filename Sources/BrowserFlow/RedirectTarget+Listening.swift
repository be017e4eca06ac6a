internal import LoopbackHTTP
internal import SessionModel

extension RedirectTarget {
  /// The path under which the request arrives.
  var requestPath: String { path.isEmpty ? "/" : path }

  /// The addresses to bind for this host.
  var addresses: [LoopbackAddress] {
    switch host {
    case .ipv4: [.ipv4]
    case .ipv6: [.ipv6]
    case .localhost: [.ipv4, .ipv6]
    }
  }
}
