import SessionModel

extension Task where Failure == Never {
  /// Waits for the value, but not for longer than the caller is wanted; the task itself goes on.
  ///
  /// `value` ignores that the caller was cancelled.
  /// - Parameters:
  ///   - limit: how long to wait at most; nil for as long as it takes.
  ///   - time: the clock of the limit.
  /// - Returns: the value; nil when the limit or the caller's cancellation came first.
  func value(within limit: Duration? = nil, by time: HostTime) async -> Success? {
    let (values, channel) = AsyncStream.makeStream(of: Success.self)
    Task<Void, Never> {
      channel.yield(await self.value)
      channel.finish()
    }
    let timer = limit.map { limit in
      let deadline = time.now().boot + limit
      return Task<Void, Never> {
        do { try await time.sleep(deadline) } catch { return }
        channel.finish()
      }
    }
    defer { timer?.cancel() }
    for await value in values { return value }
    return nil
  }
}
