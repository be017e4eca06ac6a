internal import LoopbackHTTP

/// The provider's pages: a heading, a sentence, and at most one button.
struct ProviderPage: Sendable {
  /// A form with one button.
  struct Button: Sendable {
    /// What the button says.
    let label: String

    /// Where the form is sent.
    let action: String

    /// The form's hidden fields.
    let fields: [FormItem]
  }

  /// The heading.
  let heading: String

  /// The text below it.
  let text: String

  /// The button.
  var button: Button?

  /// Returns the page as an answer.
  func response(status: Int = 200) -> LoopbackResponse {
    LoopbackResponse(
      status: status,
      headers: [
        .init(name: "Content-Type", value: "text/html; charset=utf-8"),
        .init(name: "Cache-Control", value: "no-store"),
        .init(name: "Referrer-Policy", value: "no-referrer"),
        .init(name: "X-Content-Type-Options", value: "nosniff"),
        // No form-action: some browsers apply it to the redirection that follows the button.
        .init(
          name: "Content-Security-Policy",
          value: "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none';"
            + " frame-ancestors 'none'"),
      ], body: Array(html.utf8))
  }

  private var html: String {
    let heading = HTMLText.escape(heading)
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(heading)</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      <main>
      <h1>\(heading)</h1>
      <p>\(HTMLText.escape(text))</p>
      \(form)
      <footer>Development provider: for demonstrations and tests only</footer>
      </main>
      </body>
      </html>

      """
  }

  private var form: String {
    guard let button else { return "" }
    let fields = button.fields.map { field in
      "<input type=\"hidden\" name=\"\(HTMLText.escape(field.name))\""
        + " value=\"\(HTMLText.escape(field.value))\">"
    }
    return "<form method=\"post\" action=\"\(HTMLText.escape(button.action))\">" + fields.joined()
      + "<button type=\"submit\" autofocus>\(HTMLText.escape(button.label))</button></form>"
  }

  private static let style = """
    :root{color-scheme:light dark;--page:#f3f4f6;--card:#fff;--ink:#1b1f24;--soft:#57606a;\
    --line:#d8dee4;--act:#0a58ca}
    @media(prefers-color-scheme:dark){:root{--page:#0f1318;--card:#181d24;--ink:#e6eaef;\
    --soft:#9aa4af;--line:#2d343d;--act:#2f6fde}}
    *{box-sizing:border-box}
    body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;\
    background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
    main{max-width:420px;width:100%;padding:36px 32px 24px;text-align:center;\
    background:var(--card);border:1px solid var(--line);border-radius:12px}
    h1{margin:0 0 8px;font-size:22px;line-height:1.3}
    p{margin:0;color:var(--soft)}
    button{margin-top:24px;width:100%;padding:12px;border:0;border-radius:8px;\
    background:var(--act);color:#fff;font:inherit;font-weight:600;cursor:pointer}
    button:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
    footer{margin-top:28px;padding-top:16px;border-top:1px solid var(--line);\
    font-size:13px;color:var(--soft)}
    """
}
