import FileSupport
import SecretMemory
import SessionModel
import SnapshotFormat
import SnapshotStore

extension SimulatedStage {
  /// Publishes the namespace's session with what the host says of itself.
  ///
  /// - Throws: `SimulationError`.
  mutating func publish(
    _ hostState: HostState, in namespace: Namespace, _ moment: StageMoment, deadline: Duration
  ) throws(SimulationError) {
    guard let draft = sessionDraft(hostState, in: namespace, moment, deadline: deadline),
      let token = shelves[namespace]?.session?.token
    else { return }
    try publish(draft, in: namespace)
    guard let bytes = shelves[namespace]?.file else { return }
    if let newest = shelves[namespace]?.newest { shelves[namespace]?.older = newest }
    shelves[namespace]?.newest = (bytes, token)
  }

  /// What would be published of the namespace's session; nil when there is none.
  mutating func sessionDraft(
    _ hostState: HostState, in namespace: Namespace, _ moment: StageMoment, deadline: Duration
  ) -> SnapshotDraft? {
    guard let session = shelves[namespace]?.session else { return nil }
    let boot = moment.now.boot
    let times = PublicationMoment(
      now: moment.now, boot: moment.boot, validity: session.ends.map { $0 - boot } ?? .zero,
      skew: session.skew)
    let token = tokens[session.token]
    tokens[session.token].endsAt = session.ends.map { _ in times.endsForAll }
    let record = StoredSessionV1(
      issuer: issuer, clientId: "simulated-client", accessToken: token.text, tokenType: "Bearer",
      refreshToken: "simulated-renewal-\(hexadecimal(randomBytes(8)))",
      scope: "openid profile", expiresAt: session.ends == nil ? nil : times.expiresAt)
    return draft(
      .session(record), in: namespace, times, hostState: hostState,
      deadline: times.deadline(after: deadline, boot: boot),
      issuedAt: times.wall - (boot - session.issued))
  }

  /// A draft with the next generation.
  mutating func draft(
    _ content: SnapshotContent, in namespace: Namespace, _ times: PublicationMoment,
    hostState: HostState, deadline: PublicationDeadline, issuedAt: UnixTime? = nil
  ) -> SnapshotDraft {
    let (life, generation) = nextGeneration()
    let account = shelves[namespace, default: Shelf()].account
    return SnapshotDraft(
      life: life, generation: generation, place: place(namespace), content: content,
      published: times.published, nextPublication: deadline, issuedAt: issuedAt,
      hostState: hostState, accountName: content == .signedOut ? nil : Self.accountName(account),
      accountFingerprint: AccountFingerprint(rawValue: UInt128(account) + 1))
  }

  /// Publishes a draft as the host does, and remembers the file.
  ///
  /// - Throws: `SimulationError`.
  mutating func publish(
    _ draft: SnapshotDraft, in namespace: Namespace
  ) throws(SimulationError) {
    do {
      try publisher.publish(draft, with: encoder)
    } catch {
      throw SimulationError(error)
    }
    let directory = try directory(of: namespace)
    shelves[namespace, default: Shelf()].file = try simulating { () throws(FileError) in
      try directory.readFile(SnapshotLayout.session, sizeLimit: SnapshotLimits.fileLength)
    }
  }

  /// Seals a draft with a key, for a place that the host's own writer would not put it in.
  ///
  /// - Throws: `SimulationError`.
  func sealed(_ draft: SnapshotDraft, with key: GroupKey) throws(SimulationError) -> [UInt8] {
    do {
      return try encoder.encode(draft, key: key).bytes
    } catch {
      throw .storage(error.description)
    }
  }

  /// The access group's key, as it is on disk.
  ///
  /// - Throws: `SimulationError`.
  func groupKey() throws(SimulationError) -> GroupKey {
    let path = runtime.path
    let bytes = try simulating { () throws(FileError) in
      try groupDirectory().readFile(SnapshotLayout.key, sizeLimit: SnapshotLimits.fileLength)
    }
    guard var bytes else { throw .storage("\(path): the access group's key is gone") }
    do {
      return try GroupKey(wiping: &bytes)
    } catch {
      throw .storage("\(path): \(error)")
    }
  }

  /// A key that opens nothing else.
  ///
  /// - Throws: `SimulationError`.
  static func anotherKey() throws(SimulationError) -> GroupKey {
    do {
      return try GroupKey(try SecretBytes(randomCount: AuthenticatedCipher.keyLength))
    } catch {
      throw .storage(error.description)
    }
  }
}
