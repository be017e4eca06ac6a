internal import LoopbackHTTP

/// The pages a person may see in the browser; each is static, nothing from a request is echoed.
enum RedirectPage: CaseIterable, Sendable {
  /// The response was received.
  case received

  /// The provider or the person refused.
  case refused

  /// The response was malformed.
  case malformed

  /// The session at the provider has ended.
  case signedOut

  /// The browser is on its way to the provider.
  case departing

  /// The response carried another state, and the sign-in is over.
  case stopped

  /// The request does not belong to the sign-in that is going on.
  case notOurs

  /// There is nothing under this path.
  case notFound

  /// The method is not GET.
  case wrongMethod

  /// The page as an answer.
  var response: LoopbackResponse {
    var headers = Self.headers
    if self == .wrongMethod { headers.append(.init(name: "Allow", value: "GET")) }
    return LoopbackResponse(status: status, headers: headers, body: Array(html.utf8))
  }

  /// The status code.
  var status: Int {
    switch self {
    case .received, .refused, .signedOut, .departing: 200
    case .malformed, .stopped, .notOurs: 400
    case .notFound: 404
    case .wrongMethod: 405
    }
  }

  private var heading: String {
    switch self {
    case .received: "Sign-in received"
    case .refused: "Sign-in refused"
    case .malformed: "Sign-in failed"
    case .signedOut: "Signed out"
    case .departing: "Signing out"
    case .stopped: "Sign-in stopped"
    case .notOurs: "Not part of this sign-in"
    case .notFound: "Nothing here"
    case .wrongMethod: "Nothing to do"
    }
  }

  private var text: String {
    switch self {
    case .received:
      "Return to your terminal: it says when the account is connected. You can close this page."
    case .refused:
      "No account was connected. Return to your terminal for the reason. You can close this page."
    case .malformed:
      "The provider's answer was incomplete, and no account was connected."
        + " Return to your terminal and start the sign-in again."
    case .signedOut:
      "The account is not connected any more. You can close this page."
    case .departing:
      "You are being sent to the provider."
    case .stopped:
      "The answer that came here does not belong to the sign-in that was going on, so that was"
        + " stopped, and no account was connected. Return to your terminal and start it again."
    case .notOurs:
      "This page was opened by a link that the running sign-in did not ask for."
        + " Nothing was changed. If you are signing in, go on in the other page."
    case .notFound:
      "This address only receives the answer of a sign-in that is going on."
    case .wrongMethod:
      "This address only receives the answer of a sign-in, by the GET method."
    }
  }

  private var mark: String { self == .received || self == .signedOut ? "&#10003;" : "!" }

  private var tone: String { self == .received || self == .signedOut ? "good" : "bad" }

  // RFC 9700 4.2.4: the address holds the code, so no referrer, no store, nothing loaded.
  private static let headers: [LoopbackRequest.Field] = [
    .init(name: "Content-Type", value: "text/html; charset=utf-8"),
    .init(name: "Cache-Control", value: "no-store"),
    .init(name: "Referrer-Policy", value: "no-referrer"),
    .init(name: "X-Content-Type-Options", value: "nosniff"),
    .init(
      name: "Content-Security-Policy",
      value: "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none';"
        + " form-action 'none'; frame-ancestors 'none'"),
    .init(name: "Connection", value: "close"),
  ]

  private var html: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(heading) - TokenVault</title>
    <style>\(Self.style)</style>
    </head>
    <body>
    <main>
    <div class="mark \(tone)" aria-hidden="true">\(mark)</div>
    <h1>\(heading)</h1>
    <p>\(text)</p>
    <footer>TokenVault, on this computer</footer>
    </main>
    </body>
    </html>

    """
  }

  private static let style = """
    :root{color-scheme:light dark;--page:#f3f4f6;--card:#fff;--ink:#1b1f24;--soft:#57606a;\
    --line:#d8dee4;--good:#1a7f37;--bad:#9a5b00}
    @media(prefers-color-scheme:dark){:root{--page:#0f1318;--card:#181d24;--ink:#e6eaef;\
    --soft:#9aa4af;--line:#2d343d;--good:#3fb950;--bad:#d29922}}
    *{box-sizing:border-box}
    body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;\
    background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
    main{max-width:420px;width:100%;padding:40px 32px 24px;text-align:center;\
    background:var(--card);border:1px solid var(--line);border-radius:12px}
    .mark{width:56px;height:56px;margin:0 auto 20px;border-radius:50%;border:2px solid;\
    font-size:28px;line-height:52px}
    .good{color:var(--good)}.bad{color:var(--bad)}
    h1{margin:0 0 8px;font-size:22px;line-height:1.3}
    p{margin:0;color:var(--soft)}
    footer{margin-top:28px;padding-top:16px;border-top:1px solid var(--line);\
    font-size:13px;color:var(--soft)}
    """
}
