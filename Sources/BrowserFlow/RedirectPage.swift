/// A page that a person may see in the browser: what happened, and what to do next.
///
/// Nothing from a request is echoed; what stands here is escaped when the page is made.
struct RedirectPage: Sendable, Hashable {
  /// How a page looks.
  enum Tone: String, Sendable, CaseIterable {
    /// It worked.
    case good
    /// It did not work.
    case bad
    /// Something is worth a second look.
    case caution
    /// Time passes, or has passed.
    case time
  }

  /// The account that a page is about.
  struct Account: Sendable, Hashable {
    /// What it is called.
    let name: String
    /// Where it is.
    let provider: String
  }

  /// The status code.
  let status: Int
  /// How it looks.
  let tone: Tone
  /// The heading, which is the title too.
  let heading: String
  /// The account, in a frame of its own.
  let account: Account?
  /// What happened.
  let text: String
  /// What to do next.
  let advice: String
  /// The command that ends the advice.
  let command: String?

  private init(
    _ tone: Tone, _ heading: String, status: Int = 200, account: Account? = nil, text: String,
    advice: String, command: String? = nil
  ) {
    self.status = status
    self.tone = tone
    self.heading = heading
    self.account = account
    self.text = text
    self.advice = advice
    self.command = command
  }

  private static let again = "Try again where you started. You can close this page."

  /// The page of a sign-in that has ended.
  init(_ ending: RedirectEnding) {
    switch ending {
    case .connected(let account, let provider, let replaced):
      self.init(
        .good, "Connected", account: Account(name: account ?? "An account", provider: provider),
        text: replaced.map { "It takes the place of \($0)." }
          ?? "Your programs on this computer can use this account now.",
        advice: "You can close this page. What is connected is shown by",
        command: "tokenvault status")
    case .denied(let provider):
      self.init(
        .bad, "Access denied",
        text: "You or \(provider) said no, so no account was connected.",
        advice: "If you did not mean that, try again where you started and agree to what is asked."
          + " You can close this page.")
    case .wrongAccount(let provider):
      self.init(
        .caution, "Wrong account",
        text: "\(provider) answered about another account than the one that signed in, so no"
          + " account was connected.",
        advice: "Sign out at \(provider) in this browser. Then try again where you started, with"
          + " the account that you mean.")
    case .expired:
      self.init(
        .time, "This sign-in has expired",
        text: "It took too long, or its answer was used before, so no account was connected.",
        advice: Self.again)
    case .cancelled:
      self.init(
        .caution, "Sign-in cancelled",
        text: "It was called off where it was started, so no account was connected.",
        advice: Self.again)
    case .mismatched: self = .stopped
    case .unreachable(let provider):
      self.init(
        .caution, "No answer from the provider",
        text: "\(provider) could not be reached to finish, so no account was connected.",
        advice: "Check the network connection. " + Self.again)
    case .unsaved:
      self.init(
        .bad, "Sign-in not saved",
        text: "The account could not be saved on this computer, so it was not connected.",
        advice: "The reason is shown where you started. See to it, then try again there.")
    case .failed(let provider):
      self.init(
        .bad, "Sign-in failed",
        text: "The answer of \(provider) could not be trusted, so no account was connected.",
        advice: "The reason is shown where you started. Try again there. You can close this page.")
    }
  }

  /// The response was received, and its sign-in takes long to end.
  static let received = RedirectPage(
    .time, "Almost done",
    text: "The provider takes its time.",
    advice: "You can close this page. Where you started you are told when the account is connected."
  )

  /// The response was malformed.
  static let malformed = RedirectPage(
    .bad, "Sign-in failed", status: 400,
    text: "The provider's answer was incomplete, so no account was connected.", advice: again)

  /// The session at the provider has ended.
  static let signedOut = RedirectPage(
    .good, "Signed out", text: "The account is not connected any more.",
    advice: "You can close this page.")

  /// The browser is on its way to the provider.
  static let departing = RedirectPage(
    .time, "Signing out", text: "You are being sent to the provider.",
    advice: "If nothing happens, you are signed out on this computer all the same.")

  /// The response carried another state, and the sign-in is over.
  static let stopped = RedirectPage(
    .caution, "Sign-in stopped", status: 400,
    text: "The answer that came here does not belong to the sign-in that was going on, so that was"
      + " stopped, and no account was connected.", advice: again)

  /// The sign-in has been answered already.
  static let over = RedirectPage(
    .time, "This sign-in is over", status: 400,
    text: "It has been answered already, or it took too long. Nothing was changed.",
    advice: "If no account was connected, try again where you started.")

  /// The request does not belong to the sign-in that is going on.
  static let notOurs = RedirectPage(
    .caution, "Not part of this sign-in", status: 400,
    text: "This page was opened by a link that the running sign-in did not ask for. Nothing was"
      + " changed.", advice: "If you are signing in, go on in the other page.")

  /// There is nothing under this path.
  static let notFound = RedirectPage(
    .caution, "Nothing here", status: 404,
    text: "This address only receives the answer of a sign-in that is going on.",
    advice: "You can close this page.")

  /// The method is not GET.
  static let wrongMethod = RedirectPage(
    .caution, "Nothing to do", status: 405,
    text: "This address only receives the answer of a sign-in, by the GET method.",
    advice: "You can close this page.")
}
