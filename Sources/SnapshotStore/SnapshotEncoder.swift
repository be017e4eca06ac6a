import SecretMemory
import SessionModel
package import SnapshotFormat

/// Bytes that only the encoder makes, ready to be published at their place.
package struct EncodedSnapshot: Sendable, Hashable {
  /// The whole file.
  package let bytes: [UInt8]
  /// Where it belongs.
  package let place: SnapshotPlace
}

/// Makes snapshots out of drafts; the only thing that can.
package struct SnapshotEncoder: Sendable {
  private let hostBoxKey: HostBoxKey?
  private let nonces: NonceSource

  /// Creates an encoder.
  ///
  /// - Parameters:
  ///   - hostBoxKey: the key of the host boxes; without one, while the host is locked, snapshots
  ///     have none.
  ///   - nonces: where nonces come from.
  package init(hostBoxKey: HostBoxKey?, nonces: NonceSource) {
    self.hostBoxKey = hostBoxKey
    self.nonces = nonces
  }

  /// Encodes and seals a snapshot.
  ///
  /// - Parameters:
  ///   - draft: what it says.
  ///   - key: the key of the draft's access group.
  ///   - sharesHostTokens: whether readers get the refresh and ID token too
  ///     (`shareRefreshToken`).
  /// - Returns: the snapshot.
  /// - Throws: `SnapshotEncodingError`.
  package func encode(
    _ draft: SnapshotDraft, key: GroupKey, sharesHostTokens: Bool = false
  ) throws(SnapshotEncodingError) -> EncodedSnapshot {
    try check(draft)
    var header = ByteWriter()
    header.write(draft.header(for: key.identifier))
    var file = ByteWriter()
    file.write(SnapshotLimits.magic)
    file.write(SnapshotLimits.formatVersion)
    file.write(UInt32(header.bytes.count))
    file.write(header.bytes)

    var plaintext: [UInt8] = []
    var hostTokens: [UInt8]?
    if case .session(let record) = draft.content {
      plaintext = (sharesHostTokens ? record : record.withoutHostTokens).encoded
      hostTokens = record.encodedHostTokens
    }
    if let hostTokens, let hostBoxKey {
      try seal(hostTokens, as: SnapshotLimits.hostBoxName, key: hostBoxKey.secret, into: &file)
    } else {
      file.write(UInt32(0))
    }
    // Last, so that the readers' seal covers every byte of the file.
    try seal(plaintext, as: SnapshotLimits.readerBoxName, key: key.secret, into: &file)
    guard file.bytes.count <= SnapshotLimits.fileLength else { throw .snapshotTooLong }
    return EncodedSnapshot(bytes: file.bytes, place: draft.place)
  }

  private func seal(
    _ plaintext: [UInt8], as name: [UInt8], key: borrowing SecretBytes, into file: inout ByteWriter
  ) throws(SnapshotEncodingError) {
    let padded = Padding.pad(plaintext, toMultipleOf: SnapshotLimits.paddingBlock)
    let nonce = nonces.next()
    do {
      let sealed = try AuthenticatedCipher.seal(
        padded, associatedData: file.bytes + name, nonce: nonce, key: key)
      file.write(UInt32(nonce.count + sealed.count))
      file.write(nonce)
      file.write(sealed)
    } catch {
      throw .cipher(error)
    }
  }

  private func check(_ draft: SnapshotDraft) throws(SnapshotEncodingError) {
    guard draft.generation >= 1 else { throw .generationZero }
    switch draft.content {
    case .session(let record): try check(record)
    case .reauthenticationRequired(let reason):
      guard (1...SnapshotLimits.reasonLength).contains(reason.rawValue.utf8.count) else {
        throw .invalidReason
      }
    case .signedOut, .unknown: break
    }
    guard draft.extensionBytes.count <= SnapshotLimits.fileLength else { throw .snapshotTooLong }
  }

  private func check(_ record: StoredSessionV1) throws(SnapshotEncodingError) {
    for (name, token) in [
      ("access token", record.accessToken), ("refresh token", record.refreshToken ?? ""),
      ("ID token", record.idToken ?? ""),
    ] where token.utf8.count > SnapshotLimits.tokenLength {
      throw .tokenTooLong(name)
    }
    for (name, value) in [
      ("issuer", record.issuer), ("client identifier", record.clientId),
      ("access token", record.accessToken), ("token type", record.tokenType),
    ] where value.isEmpty {
      throw .invalidMember(name)
    }
    if let expiresAt = record.expiresAt, expiresAt.rawValue < 0 {
      throw .invalidMember("expiry")
    }
  }
}

extension ByteWriter {
  fileprivate mutating func write(_ header: SnapshotHeader) {
    write(header.life.rawValue)
    write(header.generation)
    write(header.kind.rawValue)
    write(header.namespace.name)
    write(header.accessGroup.name)
    write(header.keyIdentifier.rawValue)
    write(header.published.wall.rawValue)
    write(header.published.boot.rawValue)
    write(header.published.bootIdentifier.bytes)
    write(header.nextPublication.wall.rawValue)
    write(header.nextPublication.boot.rawValue)
    write(optional: header.accessTokenExpiry) { $0.write($1.rawValue) }
    write(optional: header.issuedAt) { $0.write($1.rawValue) }
    write(header.hostState.code)
    write(optional: header.hostState.codeTime) { $0.write($1.rawValue) }
    write(optional: header.accountName) { $0.write($1) }
    write(optional: header.accountFingerprint) { $0.write($1.rawValue) }
    write(optional: header.reauthenticationReason) { $0.write($1.rawValue) }
    write(UInt32(header.extensionBytes.count))
    write(header.extensionBytes)
  }
}
