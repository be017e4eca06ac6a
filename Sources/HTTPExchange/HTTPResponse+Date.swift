extension HTTPResponse {
  /// How far this machine's clock is ahead of the server's (`Date`, RFC 9110 6.6.1).
  ///
  /// What a cache has kept was dated when it was made, and says how old it is (RFC 9111 5.1).
  /// - Parameters:
  ///   - sent: the Unix time just before the request.
  ///   - received: the Unix time just after the answer.
  /// - Returns: the lead, negative where this clock is behind; zero where both can have had the same
  ///   time meanwhile; nil where the answer has no date that can be read.
  package func clockLead(sent: Int64, received: Int64) -> Duration? {
    guard let date = headers["Date"].flatMap(HTTPDate.unixSeconds) else { return nil }
    let age = headers["Age"].flatMap { Int64($0) } ?? 0
    let stated = date + min(max(age, 0), Int64(Int32.max))
    // Each of the three has lost its fraction of a second.
    if sent > stated + 1 { return .seconds(sent - stated) }
    if received + 1 < stated { return .seconds(received - stated) }
    return .zero
  }
}
