import SessionModel

/// The desktop entry by which a desktop hands over addresses of a scheme (Desktop Entry 1.5).
package enum DesktopEntry {
  /// The file's text.
  ///
  /// - Parameters:
  ///   - scheme: the scheme of the redirect URI, without a colon.
  ///   - program: the path of `tokenvault`.
  /// - Returns: the text; nil for a scheme or a path that cannot stand in it.
  package static func text(scheme: String, program: String) -> String? {
    // What would need quoting in Exec is refused instead.
    let isPath =
      program.hasPrefix("/")
      && program.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x30...0x39).contains(byte) || "/._-".utf8.contains(byte)
      }
    guard PrivateUseScheme.isScheme(scheme), isPath else { return nil }
    return """
      [Desktop Entry]
      Type=Application
      Name=TokenVault sign-in
      Comment=Brings the answer of a sign-in to tokenvault-host
      Exec=\(program) deliver %u
      NoDisplay=true
      MimeType=x-scheme-handler/\(scheme);

      """
  }
}
