import SecretMemory
package import SessionModel

/// The bytes of a file that has the shape of a snapshot; nothing in it is to be believed yet.
package struct UnverifiedSnapshot: Sendable {
  /// Which key would open it: a hint for finding the key, not a fact.
  package var keyIdentifier: KeyIdentifier { header.keyIdentifier }
  private let bytes: [UInt8]
  private let header: SnapshotHeader
  private let readerBox: SealedBox

  /// Parses a whole file.
  ///
  /// - Parameter bytes: all bytes of the file.
  /// - Throws: `tooLarge`, `unsupportedVersion` (decided before anything else is read), `corrupt`.
  package init(parsing bytes: [UInt8]) throws(SnapshotError) {
    guard bytes.count <= SnapshotLimits.fileLength else { throw .tooLarge }
    var cursor = ByteCursor(bytes, 0..<bytes.count)
    guard try cursor.take(SnapshotLimits.magic.count).elementsEqual(SnapshotLimits.magic) else {
      throw .corrupt(.shape)
    }
    let version = try cursor.number(UInt16.self)
    guard version == SnapshotLimits.formatVersion else { throw .unsupportedVersion(version) }
    let headerLength = Int(try cursor.number(UInt32.self))
    let headerBytes = try cursor.take(headerLength)
    var headerCursor = ByteCursor(bytes, headerBytes.indices)
    header = try SnapshotHeader(parsing: &headerCursor)
    _ = try SealedBox(parsing: &cursor)
    guard let readerBox = try SealedBox(parsing: &cursor) else { throw .corrupt(.shape) }
    try cursor.finish()
    self.readerBox = readerBox
    self.bytes = bytes
  }

  /// Opens the reader box, which authenticates every byte of the file.
  ///
  /// - Parameters:
  ///   - key: the access group's key.
  ///   - namespace: the namespace in whose directory the file was found.
  ///   - accessGroup: the group in whose directory the file was found.
  /// - Returns: the snapshot.
  /// - Throws: `keyUnavailable` when it was sealed with another key; `corrupt`;
  ///   `unsupportedRecordVersion`.
  package consuming func open(
    with key: GroupKey, namespace: Namespace, accessGroup: AccessGroup
  ) throws(SnapshotError) -> Snapshot {
    guard key.identifier == header.keyIdentifier else { throw .keyUnavailable }
    // A record is not looked at before it is known that it is for whoever finds it here.
    let isInPlace = header.namespace == namespace && header.accessGroup == accessGroup
    return Snapshot(header: header, content: try openedContent(with: key, isInPlace: isInPlace))
  }

  private func openedContent(
    with key: GroupKey, isInPlace: Bool
  ) throws(SnapshotError) -> SnapshotContent {
    let preceding = bytes[..<readerBox.start]
    var associated: [UInt8] = []
    associated.reserveCapacity(preceding.count + SnapshotLimits.readerBoxName.count)
    associated += preceding
    associated += SnapshotLimits.readerBoxName
    var outcome = ReadContent.failure(.corrupt(.misplaced))
    do {
      try unsafe AuthenticatedCipher.withOpened(
        bytes[readerBox.ciphertext].span.bytes, associatedData: associated.span.bytes,
        nonce: bytes[readerBox.nonce].span.bytes, key: key.secret
      ) { plaintext in
        if isInPlace { outcome = content(of: plaintext) }
      }
    } catch {
      throw .corrupt(.seal)
    }
    switch outcome {
    case .content(let content): return content
    case .failure(let error): throw error
    }
  }

  private func content(of padded: RawSpan) -> ReadContent {
    do {
      return .content(try readContent(of: padded))
    } catch {
      return .failure(error)
    }
  }

  private func readContent(of padded: RawSpan) throws(SnapshotError) -> SnapshotContent {
    let count = unsafe padded.withUnsafeBytes { bytes in
      unsafe Padding.unpaddedCount(bytes, block: SnapshotLimits.paddingBlock)
    }
    guard let count else { throw .corrupt(.record) }
    switch header.kind {
    case .session:
      let record = try StoredSessionV1(decoding: padded.extracting(first: count))
      guard record.expiresAt == header.accessTokenExpiry else { throw .corrupt(.record) }
      return .session(record)
    case .signedOut:
      guard count == 0 else { throw .corrupt(.record) }
      return .signedOut
    case .reauthenticationRequired:
      guard count == 0, let reason = header.reauthenticationReason else {
        throw .corrupt(.record)
      }
      return .reauthenticationRequired(reason)
    default: return .unknown(header.kind)
    }
  }
}

/// What became of an opened box.
///
/// No `Result`: making its type at run time costs a short-lived reader as much as the cipher.
private enum ReadContent {
  /// What the box held.
  case content(SnapshotContent)
  /// Why it holds no content.
  case failure(SnapshotError)
}

/// Where the parts of a sealed box are in a file.
private struct SealedBox {
  /// Where the box begins, with its length.
  let start: Int
  /// The nonce's place.
  let nonce: Range<Int>
  /// The place of the ciphertext with its tag.
  let ciphertext: Range<Int>

  /// Reads a box; nil when its length is 0, which says that there is none.
  ///
  /// - Throws: `corrupt` for a length that no box can have.
  init?(parsing cursor: inout ByteCursor) throws(SnapshotError) {
    start = cursor.position
    let length = Int(try cursor.number(UInt32.self))
    guard length > 0 else { return nil }
    let padded = length - AuthenticatedCipher.nonceLength - AuthenticatedCipher.tagLength
    guard padded > 0, padded % SnapshotLimits.paddingBlock == 0 else { throw .corrupt(.shape) }
    nonce = try cursor.take(AuthenticatedCipher.nonceLength).indices
    ciphertext = try cursor.take(length - AuthenticatedCipher.nonceLength).indices
  }
}
