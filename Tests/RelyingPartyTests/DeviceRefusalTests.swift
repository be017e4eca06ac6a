import DevelopmentProvider
import HostControl
import SessionHost
import SessionModel
import TestSupport
import Testing

/// Sign-ins with a code on another device that come to nothing, at a whole host.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct DeviceRefusalTests {
  private static let request = HostControl.SignInRequest(namespace: .primary, flow: .device)

  /// Lets a number of polls come due, one after the other.
  private static func poll(_ host: HostFixture, _ count: Int) async throws {
    for _ in 0..<count {
      // The code is shown before the wait begins; each round is an exchange with the host.
      while !host.clock.sleepers.contains(.seconds(5)) { _ = try await host.status() }
      host.clock.advance(by: .seconds(5))
    }
  }

  private static func answer(_ error: String) -> FaultRule {
    var effect = FaultEffect.status(400)
    effect.body = Array("{\"error\":\"\(error)\"}".utf8)
    return FaultRule(.token, .always, effect)
  }

  @Test(
    arguments: [
      ("access_denied", ControlFailureReason.accessDenied, "access was denied at the provider"),
      ("expired_token", .expired, "the sign-in was not finished in time"),
      ("invalid_grant", .providerError, "the provider answered with the error invalid_grant"),
      ("odd", .providerError, "the provider answered with the error odd"),
    ])
  func dv03AnErrorEndsTheSignInAndNoOtherIsBegun(
    error: String, reason: ControlFailureReason, message: String
  ) async throws {
    let host = try await HostFixture()
    host.provider.setFaults([Self.answer(error)])
    try await host.expectRefusal(
      message, reason: reason, requests: [.discovery, .deviceAuthorization, .token],
      request: Self.request
    ) { _ in try await Self.poll(host, 1) }
  }

  @Test func dv03APersonsNoEndsTheSignIn() async throws {
    let host = try await HostFixture(provider: { $0.approval = .denied })
    try await host.expectRefusal(
      "access was denied at the provider", reason: .accessDenied,
      requests: [.discovery, .deviceAuthorization, .token], request: Self.request
    ) { _ in try await Self.poll(host, 1) }
  }

  @Test func dv03ACodeThatRunsOutIsNotPolledForAnyMore() async throws {
    let host = try await HostFixture(provider: {
      $0.approval = .page
      $0.deviceLifetime = .seconds(12)
    })
    try await host.expectRefusal(
      "the sign-in was not finished in time", reason: .expired,
      requests: [.discovery, .deviceAuthorization, .token, .token], request: Self.request
    ) { _ in try await Self.poll(host, 2) }
  }
}
