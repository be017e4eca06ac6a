internal import JOSE
internal import LoopbackHTTP
internal import StrictJSON
internal import Synchronization

/// What the provider and its server's threads share.
final class ProviderCore: Sendable {
  /// The faults in force.
  struct Faults: Sendable {
    /// The rules and their counts.
    var script = FaultScript()

    /// When the script was set.
    var start = ContinuousClock.now

    /// Whether every connection is dropped.
    var isDown = false

    /// Counts a request and returns what is done to it.
    mutating func effect(at endpoint: ProviderEndpoint) -> FaultEffect? {
      let effect = script.effect(at: endpoint, elapsed: start.duration(to: .now))
      return isDown ? .drop : effect
    }
  }

  /// What the provider knows.
  let state: Mutex<ProviderState>

  /// The requests so far.
  let journal = Mutex(ProviderJournal())

  /// The faults in force.
  let faults = Mutex(Faults())

  private let router: ProviderRouter
  private let observer: (@Sendable (JournalEntry) -> Void)?
  private let start = ContinuousClock.now

  /// Prepares a provider.
  init(
    configuration: ProviderConfiguration, key: SigningKey,
    observer: (@Sendable (JournalEntry) -> Void)?
  ) {
    state = Mutex(ProviderState(configuration: configuration, signer: TokenSigner(key: key)))
    router = ProviderRouter(issuerPath: configuration.issuerPath)
    self.observer = observer
  }

  /// Answers one request, with its fault, and notes it.
  func answer(_ request: LoopbackRequest) -> LoopbackResponse {
    guard let endpoint = router.endpoint(of: request.path) else {
      return .text(404, "There is nothing here.")
    }
    let effect = faults.withLock { $0.effect(at: endpoint) }
    var response: LoopbackResponse
    if let effect, effect.drops || effect.status != nil || effect.body != nil {
      response = LoopbackResponse(status: effect.status ?? 200, body: effect.body ?? [])
      response.dropConnection = effect.drops
    } else {
      response = state.withLock { state in
        let now = state.configuration.wallTime()
        return router.answer(request, at: endpoint, state: &state, now: now)
      }
    }
    if let effect {
      response.headers += effect.headers
      response.delay = effect.delay
      if effect.losesAnswer { response.dropConnection = true }
    }
    note(request, at: endpoint, response)
    return response
  }

  /// Ends a wait whose task was cancelled.
  func cancelWait(_ identifier: Int) {
    journal.withLock { $0.cancel(identifier) }.forEach { $0.resume(returning: false) }
  }

  private func note(
    _ request: LoopbackRequest, at endpoint: ProviderEndpoint, _ response: LoopbackResponse
  ) {
    let form = endpoint == .token ? FormItem.decode(request.body) : nil
    let error = response.status >= 400 ? try? JSONValue(parsing: response.body) : nil
    let entry = JournalEntry(
      endpoint: endpoint, time: start.duration(to: .now),
      grantType: form?.values(named: "grant_type").first.map(Self.shortGrantType),
      status: response.dropConnection ? nil : response.status, error: error?["error"]?.string)
    let satisfied = journal.withLock { $0.note(entry) }
    for continuation in satisfied { continuation.resume(returning: true) }
    observer?(entry)
  }

  // A closed list: whatever else was sent stands in no journal.
  private static func shortGrantType(_ text: String) -> String {
    switch text {
    case "authorization_code", "refresh_token": text
    case "urn:ietf:params:oauth:grant-type:device_code": "device_code"
    default: "other"
    }
  }
}
