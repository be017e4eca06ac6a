import Glibc
import HTTPExchange
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HTTPClientTLSTests {
  private static func failure(_ server: TLSServer, trusted: Bool) async -> HTTPError? {
    let client = HTTPClient(.init(caFile: trusted ? server.certificate : nil))
    do throws(HTTPError) {
      _ = try await client.send(
        HTTPRequest(
          method: .post, url: server.url("/token?code=sentinel"),
          body: Array("refresh_token=sentinel".utf8)))
      return nil
    } catch { return error }
  }

  @Test func aTrustedCertificateIsAnswered() async throws {
    let server = try await TLSServer(.good)
    let client = HTTPClient(.init(caFile: server.certificate))
    #expect(try await client.send(HTTPRequest(url: server.url("/"))).status == 200)
  }

  @Test(arguments: [
    (TLSServer.Kind.good, false, "its certificate is self-signed"),
    (.otherHost, true, "its certificate is for another host"),
    (.expired, true, "its certificate has expired"),
    (.oldProtocol, true, "SSL connect error"),
  ])
  func ht07AnUntrustedServerGetsNoByte(
    kind: TLSServer.Kind, trusted: Bool, reason: String
  ) async throws {
    let server = try await TLSServer(kind)
    let error = await Self.failure(server, trusted: trusted)
    #expect(error?.code == .tls)
    #expect(error?.requestWasSent == false)
    #expect(error?.reason == reason)
    #expect(!server.output.contains { $0.contains("POST") })
  }

  /// OpenSSL would find the authority's name in the system's directory, and only its key to differ.
  @Test(.enabled(if: TestFile.exists(TLSServer.systemAuthorities + "/ca-certificates.crt")))
  func ht07AFileOfOnesOwnTakesThePlaceOfTheSystemsDirectory() async throws {
    let other = try await TLSServer(.good)
    let server = try await TLSServer(.namesake)
    for (file, reason) in [
      (other.certificate, "the issuer of its certificate is not known here"),
      (nil, "SSL connect error"),
    ] {
      let client = HTTPClient(.init(caFile: file))
      do throws(HTTPError) {
        _ = try await client.send(HTTPRequest(url: server.url("/")))
        Issue.record("an authority that is not trusted was")
      } catch {
        #expect(error.code == .tls)
        #expect(error.reason == reason)
      }
    }
  }

  @Test func aMissingCertificateFileIsSaid() async throws {
    let client = HTTPClient(.init(caFile: "/nonexistent/ca"))
    await #expect(
      throws: HTTPError(
        .setup, requestWasSent: false, endpoint: "https://127.0.0.1:1/",
        reason: "the file of trusted certificates cannot be read")
    ) {
      let server = try await TLSServer(.good)
      do throws(HTTPError) {
        _ = try await client.send(HTTPRequest(url: server.url("/")))
      } catch {
        throw HTTPError(
          error.code, requestWasSent: error.requestWasSent, endpoint: "https://127.0.0.1:1/",
          reason: error.reason)
      }
    }
  }

  @Test func ht05AndHt06KeyLogAndProxyOfTheEnvironmentAreIgnored() async throws {
    await #expect(processExitsWith: .success) {
      let server = try await TLSServer(.good)
      let proxy = try RawServer { _ in .bytes("HTTP/1.1 502 No\r\n\r\n") }
      let log = "/tmp/tokenvault-keylog-\(getpid())"
      let address = "http://127.0.0.1:\(proxy.port)"
      for name in ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "http_proxy"] {
        unsafe setenv(name, address, 1)
      }
      unsafe setenv("SSLKEYLOGFILE", log, 1)
      let client = HTTPClient(.init(caFile: server.certificate))
      let answer = try await client.send(HTTPRequest(url: server.url("/", host: "localhost")))
      #expect(answer.status == 200)
      #expect(unsafe access(log, F_OK) == -1)
      #expect(unsafe getenv("SSLKEYLOGFILE") == nil)
      #expect(proxy.connections == 0)
    }
  }

  @Test func aConfiguredProxyIsUsedButNeverForALoopbackAddress() async throws {
    let proxy = try RawServer { _ in .bytes("HTTP/1.1 407 Sentinel\r\nContent-Length: 0\r\n\r\n") }
    defer { proxy.stop() }
    let server = try RawServer { _ in .bytes("HTTP/1.1 200 OK\r\n\r\n") }
    defer { server.stop() }
    let client = HTTPClient(.init(proxy: "http://user:sentinel@127.0.0.1:\(proxy.port)"))
    #expect(try await client.send(HTTPRequest(url: server.url("/"))).status == 200)
    #expect(proxy.connections == 0)
    do throws(HTTPError) {
      _ = try await client.send(HTTPRequest(url: "https://id.example/token?code=sentinel"))
      Issue.record("the proxy refused and yet there was an answer")
    } catch {
      #expect(error.code == .proxyFailed)
      #expect(!error.requestWasSent)
      #expect(
        error.description
          == "the proxy gave no connection to https://id.example:443/token: it answered 407")
    }
    #expect(proxy.requests.first?.hasPrefix("CONNECT id.example:443 ") == true)
  }
}
