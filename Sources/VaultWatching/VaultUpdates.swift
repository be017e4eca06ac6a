#if Tasks
  import FileWatching
  import Synchronization
  public import VaultReader

  extension TokenVault {
    /// The states of a namespace: the present one first, then each change, for ever.
    ///
    /// Changes that come faster than they are taken are left out, the newest is not. The sequence
    /// ends when its task is cancelled, and it never throws: what cannot be read is a state too.
    ///
    /// ```swift
    /// for await update in vault.updates(namespace: "primary") {
    ///   show(update.state)
    /// }
    /// ```
    /// - Parameter namespace: the namespace's name.
    /// - Returns: the sequence; each iterator watches for itself.
    public func updates(namespace: String = "primary") -> VaultUpdates {
      VaultUpdates(vault: self, namespace: namespace)
    }
  }

  /// The states of a namespace over time.
  public struct VaultUpdates: AsyncSequence, Sendable {
    /// An update.
    public typealias Element = VaultUpdate
    /// Nothing is ever thrown.
    public typealias Failure = Never

    private let vault: TokenVault
    private let namespace: String

    init(vault: TokenVault, namespace: String) {
      self.vault = vault
      self.namespace = namespace
    }

    /// Makes an iterator, which begins to watch when it is first asked.
    public func makeAsyncIterator() -> Iterator {
      Iterator(vault: vault, namespace: namespace)
    }

    /// Takes the updates one by one.
    public struct Iterator: AsyncIteratorProtocol {
      /// An update.
      public typealias Element = VaultUpdate
      /// Nothing is ever thrown.
      public typealias Failure = Never

      private let source: UpdateSource
      private let wakeup = Wakeup()
      private var isOver = false

      init(vault: TokenVault, namespace: String) {
        source = UpdateSource(vault: vault, namespace: namespace, servedBy: .thread) { [wakeup] in
          wakeup.signal()
          // Read here while the task's thread wakes, which takes as long as reading does.
          vault.refresh(namespace: namespace)
        }
      }

      /// Waits for the next update.
      ///
      /// - Parameter actor: the actor that the caller runs on.
      /// - Returns: the update; nil once the task was cancelled.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async -> VaultUpdate? {
        while !isOver, !Task.isCancelled {
          if let update = source.take() { return update }
          source.setAlarm()
          await wait()
        }
        isOver = true
        source.stop()
        return nil
      }

      private func wait() async {
        if source.mustPoll {
          try? await Task.sleep(for: .seconds(1))
        } else {
          await wakeup.wait()
        }
      }
    }
  }

  /// A signal that one task waits for; a signal before the wait is not lost.
  private final class Wakeup: Sendable {
    private struct State {
      var isSignalled = false
      var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Lets the waiting task go on, or the next one that waits.
    func signal() {
      let waiter = state.withLock { state in
        defer { state.waiter = nil }
        if state.waiter == nil { state.isSignalled = true }
        return state.waiter
      }
      waiter?.resume()
    }

    /// Waits for a signal, or for the end of the task.
    func wait() async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isSignalled = state.withLock { state in
            defer { state.isSignalled = false }
            if !state.isSignalled { state.waiter = continuation }
            return state.isSignalled
          }
          if isSignalled { continuation.resume() }
        }
      } onCancel: {
        signal()
      }
    }
  }
#endif
