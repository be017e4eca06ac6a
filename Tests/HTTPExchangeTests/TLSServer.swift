import TestSupport

/// `openssl s_server` with a certificate made for the test, in a directory that goes with it.
final class TLSServer: Sendable {
  /// What is wrong with the certificate or the server.
  enum Kind: String, Sendable {
    case good
    case otherHost
    case expired
    case oldProtocol
  }

  /// The port on 127.0.0.1.
  let port: Int
  /// The certificate, which is its own authority.
  var certificate: String { directory.file("certificate") }
  /// What the server printed, which includes every request that it saw.
  var output: [String] { server.output.events }

  private let directory: TemporaryDirectory
  private let server: RunningTool

  /// Makes the certificate and starts the server.
  init(_ kind: Kind) async throws {
    directory = try TemporaryDirectory()
    try await Self.makeCertificate(kind, in: directory)
    var arguments = [
      "s_server", "-accept", "127.0.0.1:0", "-cert", "certificate", "-key", "key", "-www",
    ]
    if kind == .oldProtocol { arguments += ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"] }
    server = try RunningTool(Self.openssl(arguments, in: directory, input: .open))
    let line = try await server.output.next { $0.hasPrefix("ACCEPT") }
    guard let port = line.split(separator: ":").last.flatMap({ Int($0) }) else {
      throw Failure(line: line)
    }
    self.port = port
  }

  struct Failure: Error {
    let line: String
  }

  /// The URL of a path on this server.
  func url(_ path: String, host: String = "127.0.0.1") -> String {
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
}
