import GrantModel
import SessionModel

extension OIDCSessionSource {
  /// Signs in on another device with a code to type (RFC 8628).
  ///
  /// One device request is made; a new one takes a person.
  ///
  /// - Throws: `ExchangeFailure`.
  func signInByDevice(
    _ parameters: [SignInRequest.Parameter], metadata: ProviderMetadata,
    journal: some GrantJournal, prompt: @Sendable (SignInPrompt) async -> Void
  ) async throws(ExchangeFailure) -> GrantOutcome {
    guard let endpoint = metadata.deviceAuthorization else {
      throw configuration.missing(
        "device_authorization_endpoint", setting: "deviceAuthorization")
    }
    let time = requests.time
    let response = try await requests.post(
      [("scope", configuration.scopes.joined(separator: " "))]
        + parameters.map { ($0.name, $0.value) },
      to: endpoint, metadata: metadata, namesClient: true)
    let authorization = try DeviceAuthorization(
      ProviderAnswer.object(of: response, now: time.now().rawValue))
    var polling = DevicePolling(authorization, now: time.elapsed())
    await prompt(.device(authorization.instructions))

    let endpoints = TokenEndpoint(requests: requests, metadata: metadata)
    do throws(JournalError) {
      try await journal.announceExchange()
    } catch {
      return .transient(.storage(error), retryAfter: nil)
    }
    var step = polling.first(now: time.elapsed())
    while true {
      switch step {
      case .wait(let duration):
        do { try await time.sleep(duration) } catch { return .terminal(.cancelled) }
      case .expired: return .terminal(.expired)
      case .stop(let failure): throw failure
      }
      let startedAt = time.now()
      let answer: TokenAnswer
      do throws(ExchangeFailure) {
        answer = try await endpoints.poll(deviceCode: authorization.deviceCode)
      } catch {
        step = polling.step(after: error, now: time.elapsed())
        continue
      }
      // No nonce: RFC 8628 has nothing to carry one.
      return try await finish(
        answer, metadata: metadata, nonce: nil, maximumAge: nil, startedAt: startedAt,
        journal: journal)
    }
  }
}
