import DevelopmentProvider
import FileSupport
import Glibc
import HTTPExchange
import SessionModel
import TestSupport
import Testing
import VaultReader

/// An API that rejects a token, a host that renews it and a widget between them.
///
/// The API is the provider's userinfo endpoint.
@Suite(.timeLimit(.minutes(2))) struct AuthorizedRequestTests {
  /// A machine whose host will renew at once if a token is rejected.
  private struct Setting {
    let provider: LoopbackProvider
    let machine: HostMachine
    var host: RunningTool
    private let requestsOfSignIn: Int

    /// How many requests the API has had.
    var requestCount: Int { provider.count(of: .userinfo) - requestsOfSignIn }

    init() async throws {
      provider = try LoopbackProvider.approving()
      machine = try HostMachine()
      try machine.configure(issuer: provider.issuer)
      let first = try await machine.startHost()
      try #require(try await machine.signIn().status == 0)
      #expect(await machine.end(first).status == 0)
      requestsOfSignIn = provider.count(of: .userinfo)
      host = try await machine.startHost()
    }

    /// Starts the host again: it counts rejections from then on.
    mutating func restartHost() async throws {
      #expect(await machine.end(host).status == 0)
      host = try await machine.startHost()
    }

    func request(limit: Duration = .seconds(20)) -> AuthorizedRequest {
      let vault = TokenVault(
        accessGroup: .default,
        directories: VaultDirectories(
          environment: .init([
            "TOKENVAULT_RUNTIME_DIR": machine.environment["TOKENVAULT_RUNTIME_DIR"] ?? ""
          ]), user: geteuid()))
      return AuthorizedRequest(vault, namespace: "primary", validFor: nil, limit: limit)
    }

    /// Asks the API who the person is.
    func person(with token: String) async throws -> String {
      let answer = try await HTTPClient().send(
        HTTPRequest(
          url: provider.issuer + "/userinfo", headers: [("Authorization", "Bearer \(token)")]))
      if answer.status == 401 { throw AccessTokenRejected() }
      return String(decoding: answer.body, as: UTF8.self)
    }

    /// Asks the API by a request, and says why that was given up; nil when it was answered.
    func refusal(of request: AuthorizedRequest) async throws -> AuthorizedRequestError.Reason? {
      do {
        let text = try await request.send { token in try await person(with: token) }
        #expect(text.contains("alice-0001"))
        return nil
      } catch let error as AuthorizedRequestError {
        return error.reason
      }
    }

    /// Takes an access token back, and nothing else of the grant (RFC 7009 2.1).
    func revoke(_ token: String) async throws {
      let answer = try await HTTPClient().send(
        HTTPRequest(
          method: .post, url: provider.issuer + "/revoke",
          headers: [("Content-Type", "application/x-www-form-urlencoded")],
          body: Array("client_id=desktop&token=\(token)".utf8)))
      #expect(answer.status == 200)
    }
  }

  @Test func wg08ARevokedTokenIsReplacedAndTheRequestSentAgain() async throws {
    let setting = try await Setting()
    let tokens = EventRecorder<String>()
    let person = try await setting.request().send { token in
      if tokens.events.isEmpty { try await setting.revoke(token) }
      tokens.record(token)
      return try await setting.person(with: token)
    }
    #expect(person.contains("alice-0001"))
    #expect(Set(tokens.events).count == 2 && tokens.events.count == 2)
    #expect(setting.requestCount == 2)
    #expect(setting.provider.counts.refreshes == 1)
    #expect(await setting.machine.end(setting.host).status == 0)
  }

  @Test func rf13AnAPIThatRejectsEveryTokenGetsTwoRequests() async throws {
    var setting = try await Setting()
    setting.provider.setFaults([FaultRule(.userinfo, .always, .status(401))])
    for renewals in 1...2 {
      #expect(try await setting.refusal(of: setting.request()) == .rejectedAgain)
      #expect(setting.requestCount == 2 * renewals)
      // The second renewal is made with the token that the first was given.
      #expect(setting.provider.counts.refreshes == renewals)
      #expect(setting.provider.counts.rotations == renewals)
      try await setting.restartHost()
    }
    #expect(setting.provider.counts.reuses == 0)
    setting.provider.setFaults([])
    #expect(try await setting.refusal(of: setting.request()) == nil)
    #expect(await setting.machine.end(setting.host).status == 0)
  }

  @Test func wg08TheHostRenewsOncePerInterval() async throws {
    let setting = try await Setting()
    setting.provider.setFaults([FaultRule(.userinfo, .always, .status(401))])
    let request = setting.request(limit: .milliseconds(300))
    #expect(try await setting.refusal(of: request) == .rejectedAgain)
    for _ in 1...2 {
      let reason = try await setting.refusal(of: request)
      guard case .notReplaced(let why) = reason else {
        Issue.record("\(String(describing: reason))")
        continue
      }
      #expect(why.hasPrefix("the host: the token came a moment ago, "), "\(why)")
    }
    #expect(setting.requestCount == 4)
    #expect(setting.provider.counts.refreshes == 1)
    #expect(await setting.machine.end(setting.host).status == 0)
  }

  @Test func wg08EightCallersCauseOneRenewal() async throws {
    let setting = try await Setting()
    let rejected = EventRecorder<String>()
    let all = Gate()
    try await setting.request().send { try await setting.revoke($0) }
    // Four of one widget, which ask together, and four that know nothing of one another.
    let shared = setting.request()
    let requests = (0..<8).map { $0 < 4 ? shared : setting.request() }
    try await withThrowingTaskGroup(of: String.self) { group in
      for request in requests {
        group.addTask {
          try await request.send { token in
            do {
              return try await setting.person(with: token)
            } catch let error as AccessTokenRejected {
              rejected.record(token)
              try await all.wait()
              throw error
            }
          }
        }
      }
      _ = try await rejected.wait(count: 8)
      all.open()
      for try await person in group { #expect(person.contains("alice-0001")) }
    }
    #expect(rejected.events.count == 8)
    #expect(Set(rejected.events).count == 1)
    #expect(setting.provider.counts.refreshes == 1)
    #expect(await setting.machine.end(setting.host).status == 0)
  }
}
