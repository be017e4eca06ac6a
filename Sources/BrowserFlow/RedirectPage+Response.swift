internal import LoopbackHTTP
internal import SecretMemory

extension RedirectPage {
  /// The page as an answer.
  var response: LoopbackResponse {
    var headers = Self.headers
    if status == 405 { headers.append(.init(name: "Allow", value: "GET")) }
    return LoopbackResponse(status: status, headers: headers, body: Array(html.utf8))
  }

  // RFC 9700 4.2.4: the address holds the code, so no referrer, no store, nothing loaded. The one
  // style is named by its hash, so that not even a style could be brought in.
  private static let headers: [LoopbackRequest.Field] = [
    .init(name: "Content-Type", value: "text/html; charset=utf-8"),
    .init(name: "Cache-Control", value: "no-store"),
    .init(name: "Referrer-Policy", value: "no-referrer"),
    .init(name: "X-Content-Type-Options", value: "nosniff"),
    .init(name: "Cross-Origin-Opener-Policy", value: "same-origin"),
    .init(name: "Cross-Origin-Resource-Policy", value: "same-origin"),
    .init(
      name: "Content-Security-Policy",
      value: "default-src 'none'; style-src 'sha256-\(styleHash)='; base-uri 'none';"
        + " form-action 'none'; frame-ancestors 'none'"),
    .init(name: "Connection", value: "close"),
  ]

  // 32 bytes: base64 of any alphabet and one sign of padding (CSP 3, 2.3.1).
  private static let styleHash = SecretMemory.Base64URL.encode(sha256(Array(style.utf8)))

  private var html: String {
    let heading = HTMLText.escape(heading)
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="robots" content="noindex">
      <title>\(heading) - TokenVault</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      <main>
      <p class="name">\(Self.logo)TokenVault</p>
      <section role="status" aria-labelledby="outcome">
      <svg class="mark \(tone)" viewBox="0 0 24 24" aria-hidden="true"><path d="\(tone.path)"/></svg>
      <h1 id="outcome">\(heading)</h1>
      \(frame)<p>\(HTMLText.escape(text))</p>
      <p class="next">\(HTMLText.escape(advice))\(code)</p>
      </section>
      <footer>Shown by TokenVault on this computer. Nothing is loaded from the network.</footer>
      </main>
      </body>
      </html>

      """
  }

  private var code: String {
    command.map { " <code>\(HTMLText.escape($0))</code>" } ?? ""
  }

  private var frame: String {
    guard let account else { return "" }
    // A name may be written from right to left: it must not turn around what stands beside it.
    return "<p class=\"account\"><strong><bdi>\(HTMLText.escape(account.name))</bdi></strong>"
      + " <span>at <bdi>\(HTMLText.escape(account.provider))</bdi></span></p>\n"
  }

  // A safe with its lock.
  private static let logo = """
    <svg viewBox="0 0 24 24" aria-hidden="true"><rect x="3" y="3.5" width="18" height="15.5" rx="3"/>\
    <circle cx="12" cy="10" r="2"/><path d="M12 12v3.2M7 19v2M17 19v2"/></svg>
    """

  private static let style = """
    :root{color-scheme:light dark;--page:#eef1f5;--card:#fff;--ink:#16202b;--soft:#556270;\
    --line:#d7dee6;--frame:#f5f8fa;--good:#12783a;--bad:#b3261e;--caution:#8a5300;--time:#3557b0}
    @media(prefers-color-scheme:dark){:root{--page:#0d1218;--card:#161d26;--ink:#e8edf3;\
    --soft:#a0adba;--line:#2b3541;--frame:#1c2530;--good:#4cc27a;--bad:#ff8a80;--caution:#e6ab4b;\
    --time:#8fb0ff}}
    *{box-sizing:border-box}
    body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;\
    background:var(--page);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
    main{max-width:460px;width:100%;padding:28px 36px 24px;background:var(--card);\
    border:1px solid var(--line);border-radius:16px;box-shadow:0 1px 2px #0000000f,0 12px 32px #00000014}
    svg{fill:none;stroke:currentColor;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}
    .name{display:flex;align-items:center;gap:10px;margin:0 0 28px;font-weight:600;\
    letter-spacing:.01em;color:var(--soft)}
    .name svg{width:24px;height:24px}
    section{text-align:center}
    .mark{display:block;width:60px;height:60px;margin:0 auto 16px;padding:12px;border-radius:50%;\
    background:color-mix(in srgb,currentColor 12%,transparent);stroke-width:2}
    .good{color:var(--good)}.bad{color:var(--bad)}.caution{color:var(--caution)}\
    .time{color:var(--time)}
    h1{margin:0 0 12px;font-size:25px;line-height:1.25;letter-spacing:-.01em}
    p{margin:0 0 12px;overflow-wrap:anywhere;text-wrap:balance}
    code{padding:2px 6px;border-radius:5px;background:var(--frame);color:var(--ink);\
    font:.88em ui-monospace,monospace;white-space:nowrap}
    .account{margin:18px 0;padding:14px 16px;background:var(--frame);border:1px solid var(--line);\
    border-radius:10px}
    .account strong{display:block;font-size:18px}
    .account span,.next{color:var(--soft)}
    footer{margin-top:24px;padding-top:16px;border-top:1px solid var(--line);font-size:13px;\
    color:var(--soft);text-align:center;text-wrap:balance}
    @media(max-width:480px){body{padding:12px}main{padding:22px 20px 18px}}
    """
}

extension RedirectPage.Tone {
  /// What is drawn in the round mark, as SVG path data.
  fileprivate var path: String {
    switch self {
    case .good: "M5.5 12.5l4.2 4.2L18.5 8"
    case .bad: "M7 7l10 10M17 7L7 17"
    case .caution: "M12 5.5v8M12 17.8v.4"
    case .time: "M12 6.5V12l3.8 2.4M21 12a9 9 0 1 1-18 0a9 9 0 0 1 18 0z"
    }
  }
}
