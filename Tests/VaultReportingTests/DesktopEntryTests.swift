import Testing
import VaultReporting

@Suite struct DesktopEntryTests {
  @Test func theSchemeIsHandedToDeliver() {
    #expect(
      DesktopEntry.text(scheme: "com.example.app", program: "/usr/local/bin/tokenvault") == """
        [Desktop Entry]
        Type=Application
        Name=TokenVault sign-in
        Comment=Brings the answer of a sign-in to tokenvault-host
        Exec=/usr/local/bin/tokenvault deliver %u
        NoDisplay=true
        MimeType=x-scheme-handler/com.example.app;

        """)
  }

  @Test(arguments: [
    ("app", "/bin/tokenvault"), ("1.app", "/bin/tokenvault"), (".a", "/bin/tokenvault"),
    ("com.x.", "/bin/tokenvault"), ("com.example.app;x", "/bin/tokenvault"),
    ("com.example.app", "tokenvault"), ("com.example.app", "/bin/token vault"),
    ("com.example.app", "/bin/$(x)"), ("com.example\nExec=x", "/bin/tokenvault"),
  ])
  func whatCannotStandInItIsRefused(scheme: String, program: String) {
    #expect(DesktopEntry.text(scheme: scheme, program: program) == nil)
  }
}
