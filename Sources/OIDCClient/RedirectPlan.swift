import SessionModel

/// Where a sign-in waits for its browser: on a port, or for what the desktop delivers.
struct RedirectPlan: Sendable {
  /// The loopback redirect URIs, tried in order.
  var loopback: [RedirectTarget] = []
  /// The redirect URI with a scheme of the client's own, where no port could be opened.
  var privateUse: PrivateUseRedirect?
}
