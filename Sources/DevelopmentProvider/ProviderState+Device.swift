internal import LoopbackHTTP
internal import StrictJSON

extension ProviderState {
  /// Answers a device authorization request (RFC 8628 3.1).
  ///
  /// - Returns: The members of the response.
  /// - Throws: The error of the RFC.
  mutating func authorizeDevice(
    _ items: [FormItem], authorization: String?, now: Duration
  ) throws(OAuthError) -> JSONObject {
    let parameters = try RequestParameters(items)
    let client = try authenticate(parameters, authorization: authorization)
    let device = DeviceRecord(
      userCode: RandomText.userCode(), clientIdentifier: client.identifier,
      scope: parameters["scope"] ?? "", expiresAt: now + configuration.deviceLifetime,
      interval: configuration.deviceInterval)
    let code = makeToken()
    devices[code] = device
    let page = issuer + ProviderEndpoint.device.path
    return [
      "device_code": .string(code), "user_code": .string(device.userCode),
      "verification_uri": .string(page),
      "verification_uri_complete": .string("\(page)?user_code=\(device.userCode)"),
      "expires_in": .integer(configuration.deviceLifetime.components.seconds),
      "interval": .integer(configuration.deviceInterval.components.seconds),
    ]
  }

  /// Takes one poll with a device code (RFC 8628 3.5).
  ///
  /// - Returns: Who said yes, and when.
  /// - Throws: `authorization_pending`, `slow_down`, `expired_token`, `access_denied` or
  ///   `invalid_grant`.
  mutating func pollDevice(
    _ code: String, client: ProviderClient, now: Duration
  ) throws(OAuthError) -> (ProviderAccount, at: Duration) {
    guard var device = devices[code],
      device.clientIdentifier.utf8.elementsEqual(client.identifier.utf8)
    else { throw OAuthError("invalid_grant", "the device code is unknown") }
    guard device.expiresAt > now else {
      throw OAuthError("expired_token", "the device code has expired")
    }
    // A tenth of the interval is allowed for timers that are not exact.
    let isTooFast = device.polledAt.map { now - $0 < device.interval * 9 / 10 } ?? false
    let isFirst = device.polledAt == nil
    device.polledAt = now
    if isTooFast { device.interval += .seconds(5) }
    defer { devices[code] = device }
    if isTooFast { throw OAuthError("slow_down", "five seconds more between polls") }
    if case .pending = device.decision, !isFirst, configuration.approval == .automatic,
      let account = account(hint: nil)
    {
      device.decision = .approved(account, at: now)
    }
    switch device.decision {
    case .pending where configuration.approval == .denied, .denied:
      throw OAuthError("access_denied", "the person said no")
    case .pending:
      throw OAuthError("authorization_pending", "nobody has decided yet")
    case .used:
      throw OAuthError("invalid_grant", "the device code was used before")
    case .approved(let account, let at):
      device.decision = .used
      return (account, at)
    }
  }

  /// Returns the account that a user code asks for, or nil when there is nothing to decide.
  func deviceAccount(userCode: String, now: Duration) -> ProviderAccount? {
    guard let code = deviceCode(of: userCode, now: now), case .pending? = devices[code]?.decision
    else { return nil }
    return account(hint: nil)
  }

  /// Notes the person's decision about a user code.
  ///
  /// - Returns: Whether there was something to decide.
  mutating func decideDevice(userCode: String, approve: Bool, now: Duration) -> Bool {
    guard let account = deviceAccount(userCode: userCode, now: now),
      let code = deviceCode(of: userCode, now: now)
    else { return false }
    devices[code]?.decision = approve ? .approved(account, at: now) : .denied
    return true
  }

  // RFC 8628 6.1: case and punctuation do not matter to a person who types.
  private func deviceCode(of userCode: String, now: Duration) -> String? {
    let typed = userCode.uppercased().filter(\.isLetter)
    return devices.first { entry in
      entry.value.expiresAt > now && entry.value.userCode.filter(\.isLetter) == typed
    }?.key
  }
}
