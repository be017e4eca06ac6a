/// `openssl s_server` with a certificate made for the test, in a directory that goes with it.
package final class TLSServer: Sendable {
  /// What is wrong with the certificate or the server.
  package enum Kind: String, Sendable {
    /// Nothing.
    case good
    /// The certificate is another host's.
    case otherHost
    /// The certificate has expired.
    case expired
    /// The server speaks TLS 1.1 at most.
    case oldProtocol
    /// Of an authority with the name of one of the system's, but with another key.
    case namesake
  }

  /// The port on 127.0.0.1.
  package let port: Int
  /// The certificate, which is its own authority.
  package var certificate: String { directory.file("certificate") }
  /// What the server printed, which includes every request that it saw.
  package var output: [String] { server.output.events }

  private let directory: TemporaryDirectory
  private let server: RunningTool

  /// Makes the certificate and starts the server.
  ///
  /// - Parameters:
  ///   - kind: what is wrong with it.
  ///   - answersWithFiles: whether it answers with what `put` was given, instead of a page.
  /// - Throws: when openssl fails.
  package init(_ kind: Kind, answersWithFiles: Bool = false) async throws {
    directory = try TemporaryDirectory()
    try await Self.makeCertificate(kind, in: directory)
    var arguments = [
      "s_server", "-accept", "127.0.0.1:0", "-cert", "certificate", "-key", "key",
      answersWithFiles ? "-HTTP" : "-www",
    ]
    // It would find the namesake among the system's and send that.
    if kind == .namesake { arguments += ["-no-CApath", "-no-CAfile", "-no-CAstore"] }
    if kind == .oldProtocol { arguments += ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"] }
    server = try RunningTool(Self.openssl(arguments, in: directory, input: .open))
    let line = try await server.output.next { $0.hasPrefix("ACCEPT") }
    guard let port = line.split(separator: ":").last.flatMap({ Int($0) }) else {
      throw Failure(line: line)
    }
    self.port = port
  }

  private struct Failure: Error {
    let line: String
  }

  /// Sets the whole answer, status line and fields included, to requests of a path.
  ///
  /// - Throws: when the file cannot be written.
  package func put(_ answer: String, at path: String) throws {
    var made = ""
    for part in path.split(separator: "/").dropLast() {
      made += (made.isEmpty ? "" : "/") + part
      if !TestFile.exists(directory.file(made)) { _ = try directory.makeDirectory(made) }
    }
    try directory.write(answer, to: String(path.drop { $0 == "/" }))
  }

  /// The URL of a path on this server.
  package func url(_ path: String, host: String = "127.0.0.1") -> String {
    "https://\(host):\(port)\(path)"
  }

  private static func openssl(
    _ arguments: [String], in directory: TemporaryDirectory, input: ToolRequest.Input = .none
  ) -> ToolRequest {
    var request = ToolRequest("openssl", arguments)
    request.input = input
    request.directory = directory.path
    return request
  }

  private static func makeCertificate(
    _ kind: Kind, in directory: TemporaryDirectory
  ) async throws {
    guard kind != .namesake else { return try await makeNamesake(in: directory) }
    let names = kind == .otherHost ? "DNS:other.example" : "DNS:localhost,IP:127.0.0.1"
    _ = try directory.write(
      """
      [req]
      distinguished_name = name
      x509_extensions = extensions
      prompt = no
      [name]
      CN = tokenvault test
      [extensions]
      subjectAltName = \(names)
      basicConstraints = critical, CA:TRUE
      [ca]
      default_ca = authority
      [authority]
      database = index
      new_certs_dir = .
      rand_serial = yes
      default_md = sha256
      policy = anything
      [anything]
      commonName = supplied
      """, to: "settings")
    _ = try directory.write("", to: "index")
    let request =
      ["req", "-config", "settings", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
      + ["-nodes", "-keyout", "key"]
    var steps = [request + ["-x509", "-days", "2", "-out", "certificate"]]
    if kind == .expired {
      steps = [
        request + ["-new", "-out", "request"],
        ["ca", "-config", "settings", "-batch", "-selfsign", "-notext", "-keyfile", "key"]
          + ["-in", "request", "-out", "certificate", "-extensions", "extensions"]
          + ["-startdate", "20200101000000Z", "-enddate", "20200201000000Z"],
      ]
    }
    for step in steps { _ = try await ToolRunner.runSuccessfully(openssl(step, in: directory)) }
  }

  // Without key identifiers, so that only the signature tells the two authorities apart.
  private static func makeNamesake(in directory: TemporaryDirectory) async throws {
    _ = try directory.write(
      """
      [req]
      distinguished_name = name
      x509_extensions = extensions
      prompt = no
      [name]
      CN = tokenvault test
      [extensions]
      subjectAltName = DNS:localhost,IP:127.0.0.1
      authorityKeyIdentifier = none
      subjectKeyIdentifier = none
      [authority]
      basicConstraints = critical, CA:TRUE
      """, to: "settings")
    let request = ["req", "-config", "settings", "-x509", "-days", "2", "-nodes"]
    let authority =
      request + ["-extensions", "authority", "-subj", try await systemAuthority(in: directory)]
      + ["-newkey", "rsa:2048", "-keyout", "authority-key", "-out", "authority"]
    let server =
      request + ["-CA", "authority", "-CAkey", "authority-key", "-newkey", "ec"]
      + ["-pkeyopt", "ec_paramgen_curve:P-256", "-keyout", "key", "-out", "certificate"]
    for step in [authority, server] {
      _ = try await ToolRunner.runSuccessfully(openssl(step, in: directory))
    }
  }

  /// The directory of the system's certificates, by the hashes of their names.
  package static let systemAuthorities = "/etc/ssl/certs"

  // The name of an authority with an RSA key.
  private static func systemAuthority(in directory: TemporaryDirectory) async throws -> String {
    for name in TestFile.names(in: systemAuthorities) where name.hasSuffix(".0") {
      let result = try await ToolRunner.runSuccessfully(
        openssl(
          ["x509", "-in", "\(systemAuthorities)/\(name)", "-noout", "-text"]
            + ["-subject", "-nameopt", "compat"], in: directory))
      guard result.output.contains("rsaEncryption"),
        let line = result.output.split(separator: "\n").last(where: { $0.hasPrefix("subject=/") })
      else { continue }
      return String(line.dropFirst("subject=".count))
    }
    throw Failure(line: "no certificate with an RSA key in \(systemAuthorities)")
  }
}
