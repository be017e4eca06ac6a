import GrantModel
import SecretMemory
import SessionModel
import SnapshotFormat
import StrictJSON

/// The stored record could not be understood.
package struct RecordFormatError: Error, Sendable, Hashable {
  /// The member that is missing, wrong or not known.
  package let member: String
  /// Whether the member is one that this version does not know.
  package let isOfNewerHost: Bool
  /// Whether there was no memory for the member's secret: then nothing is wrong with the record.
  package let isOutOfMemory: Bool

  /// Creates an error.
  package init(member: String, isOfNewerHost: Bool = false, isOutOfMemory: Bool = false) {
    self.member = member
    self.isOfNewerHost = isOfNewerHost
    self.isOutOfMemory = isOutOfMemory
  }
}

// A flat JSON object of version 1. Unknown members are an error: an older host must not drop what
// a newer one wrote.
extension CanonicalRecord {
  /// Encodes the record; the bytes hold secrets and go into the encrypted store only.
  package func encoded() -> [UInt8] {
    var members: [(String, JSONValue)] = [
      ("version", .integer(1)),
      ("life", .string(String(life.rawValue, radix: 16))),
      ("generation", .string(String(generation))),
      ("phase", .string(phaseWord)),
      ("refusals", .integer(Int64(refusals))),
    ]
    if let accountName { members.append(("accountName", .string(accountName))) }
    if case .reauthenticationRequired(let reason) = phase {
      members.append(("reason", .string(reason.rawValue)))
    }
    if let grant { members.append(("grant", grant.json)) }
    if isRollbackSuspected { members.append(("isRollbackSuspected", .bool(true))) }
    if grant != nil, let obtainedAt { members.append(("obtainedAt", obtainedAt.json)) }
    if let rotatedToken {
      members.append(("rotatedToken", .string(rotatedToken.copiedText())))
    }
    if let rotationIntent {
      members.append(("rotationStartedAt", .integer(rotationIntent.startedAt.rawValue)))
      members.append(("rotationIsRetry", .bool(rotationIntent.isRetry)))
    }
    if let exchangeStartedAt {
      members.append(("exchangeStartedAt", .integer(exchangeStartedAt.rawValue)))
    }
    switch signInToken {
    case .refreshToken(let token): members.append(("signInToken", .string(token.copiedText())))
    case .accessToken(let text): members.append(("signInAccessToken", .string(text)))
    case nil: break
    }
    if let latchedFingerprint {
      members.append(("latchedFingerprint", .string(Base64URL.encode(latchedFingerprint))))
    }
    if let loginEnd { members.append(("loginEnd", loginEnd.json)) }
    members.append(("pendingRevocations", .array(pendingRevocations.map(\.json))))
    return JSONObject(members).encoded()
  }

  /// Decodes a record.
  ///
  /// - Throws: `RecordFormatError` for anything but a whole record of version 1.
  package init(decoding bytes: [UInt8]) throws(RecordFormatError) {
    let members: RecordMembers
    do {
      members = try RecordMembers(JSONValue(parsing: bytes).object, at: "record")
    } catch let error as RecordFormatError {
      throw error
    } catch {
      throw RecordFormatError(member: "record")
    }
    let version = try members.integer("version")
    guard version == 1 else {
      throw RecordFormatError(member: "record.version", isOfNewerHost: version > 1)
    }
    guard let life = UInt128(try members.string("life"), radix: 16) else {
      throw RecordFormatError(member: "record.life")
    }
    guard let generation = UInt64(try members.string("generation")) else {
      throw RecordFormatError(member: "record.generation")
    }
    self.init(life: SnapshotLife(rawValue: life))
    self.generation = generation
    refusals = try members.count("refusals")
    isRollbackSuspected = try members.optionalBool("isRollbackSuspected") ?? false
    accountName = try members.optionalString("accountName")
    phase = try Phase(members)
    if let moment = try members.optionalObject("obtainedAt") {
      obtainedAt = try Instant(RecordMembers(moment, at: "obtainedAt"))
    }
    rotatedToken = try members.optionalToken("rotatedToken")
    if let startedAt = try members.optionalInteger("rotationStartedAt") {
      rotationIntent = RotationIntent(
        startedAt: UnixTime(rawValue: startedAt), isRetry: try members.bool("rotationIsRetry"))
    }
    exchangeStartedAt = try members.optionalInteger("exchangeStartedAt").map {
      UnixTime(rawValue: $0)
    }
    signInToken = try members.optionalToken("signInToken").map { .refreshToken($0) }
    if let text = try members.optionalString("signInAccessToken") {
      guard signInToken == nil else { throw RecordFormatError(member: "record.signInAccessToken") }
      signInToken = .accessToken(text)
    }
    if let text = try members.optionalString("latchedFingerprint") {
      guard let bytes = Base64URL.decode(text) else {
        throw RecordFormatError(member: "record.latchedFingerprint")
      }
      latchedFingerprint = bytes
    }
    if let known = try members.optionalObject("loginEnd") {
      loginEnd = try LoginEnd(RecordMembers(known, at: "loginEnd"))
    }
    for value in try members.array("pendingRevocations") {
      pendingRevocations.append(try PendingRevocation(value))
    }
    try members.refuseOthers()
  }

  private var phaseWord: String {
    switch phase {
    case .empty: "empty"
    case .active: "active"
    case .signedOut: "signed-out"
    case .reauthenticationRequired: "reauthentication-required"
    }
  }
}

extension CanonicalRecord.Phase {
  fileprivate init(_ members: RecordMembers) throws(RecordFormatError) {
    switch try members.string("phase") {
    case "empty": self = .empty
    case "signed-out": self = .signedOut
    case "active":
      self = .active(try Grant(RecordMembers(members.optionalObject("grant"), at: "grant")))
    case "reauthentication-required":
      self = .reauthenticationRequired(
        ReauthenticationReason(rawValue: try members.string("reason")))
    default: throw RecordFormatError(member: "record.phase")
    }
  }
}

extension CanonicalRecord.PendingRevocation {
  fileprivate var json: JSONValue {
    // An older host stops at a member that it does not know, so only an access token has its own.
    let token: (String, JSONValue) =
      switch token {
      case .refreshToken(let token): ("token", .string(token.copiedText()))
      case .accessToken(let text): ("accessToken", .string(text))
      }
    return .object(
      JSONObject([
        token, ("attempts", .integer(Int64(attempts))),
        ("expiresAt", .integer(expiresAt.rawValue)),
      ]))
  }

  fileprivate init(_ value: JSONValue) throws(RecordFormatError) {
    let members = try RecordMembers(value.object, at: "pendingRevocations")
    let refreshToken = try members.optionalToken("token")
    let accessToken = try members.optionalString("accessToken")
    let token: RevocableToken
    switch (refreshToken, accessToken) {
    case (let refreshToken?, nil): token = .refreshToken(refreshToken)
    case (nil, let accessToken?): token = .accessToken(accessToken)
    default: throw RecordFormatError(member: "pendingRevocations.token")
    }
    self.init(
      token: token, attempts: try members.count("attempts"),
      expiresAt: UnixTime(rawValue: try members.integer("expiresAt")))
    try members.refuseOthers()
  }
}

extension Grant {
  fileprivate var json: JSONValue {
    var members: [(String, JSONValue)] = [
      ("issuer", .string(issuer)),
      ("clientId", .string(clientId)),
      ("accessToken", .string(accessToken)),
      ("tokenType", .string(tokenType)),
      ("issuedAt", .integer(issuedAt.rawValue)),
    ]
    if let subject { members.append(("subject", .string(subject))) }
    if let accountName { members.append(("accountName", .string(accountName))) }
    if let scope { members.append(("scope", .string(scope))) }
    if let expiresAt { members.append(("expiresAt", .integer(expiresAt.rawValue))) }
    if let refreshToken { members.append(("refreshToken", .string(refreshToken.copiedText()))) }
    if let idToken { members.append(("idToken", .string(idToken))) }
    if let renewableUntil {
      members.append(("renewableUntil", .integer(renewableUntil.rawValue)))
    }
    return .object(JSONObject(members))
  }

  fileprivate init(_ members: RecordMembers) throws(RecordFormatError) {
    self.init(
      issuer: try members.string("issuer"), clientId: try members.string("clientId"),
      subject: try members.optionalString("subject"),
      accountName: try members.optionalString("accountName"),
      accessToken: try members.string("accessToken"),
      tokenType: try members.string("tokenType"), scope: try members.optionalString("scope"),
      issuedAt: UnixTime(rawValue: try members.integer("issuedAt")),
      expiresAt: try members.optionalInteger("expiresAt").map { UnixTime(rawValue: $0) },
      refreshToken: try members.optionalToken("refreshToken"),
      idToken: try members.optionalString("idToken"),
      renewableUntil: try members.optionalInteger("renewableUntil").map { UnixTime(rawValue: $0) })
    try members.refuseOthers()
  }
}
