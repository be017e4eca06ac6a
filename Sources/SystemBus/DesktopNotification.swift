/// What one pop-up of the desktop says (Desktop Notifications Specification 1.2).
package struct DesktopNotification: Sendable, Hashable {
  /// One line, which no server takes for markup.
  package let summary: String
  /// A few lines as they are, for a server that reads no markup.
  package let body: String
  /// The same lines with everything escaped, for a server with the capability `body-markup`.
  package let markup: String

  /// Creates a text; nothing in it may be U+0000, which no string of a bus can hold.
  package init(summary: String, body: String, markup: String) {
    self.summary = summary
    self.body = body
    self.markup = markup
  }
}
