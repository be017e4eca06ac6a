package import GrantModel
import HTTPExchange
import SessionModel
package import StrictJSON

/// A device authorization response (RFC 8628 3.2).
package struct DeviceAuthorization: Sendable {
  /// The code that the client polls with, a secret.
  package let deviceCode: String
  /// What to show the person.
  package let instructions: SignInPrompt.DeviceInstructions
  /// The least time between two polls.
  package let interval: Duration

  /// How long to wait between polls if the provider does not say.
  package static let defaultInterval = Duration.seconds(5)

  /// Reads a response.
  ///
  /// - Throws: `ExchangeFailure.invalid`.
  package init(_ object: JSONObject) throws(ExchangeFailure) {
    guard let code = object["device_code"]?.string, TokenText.isToken(code) else {
      throw .invalid("device_code is missing or is not a code")
    }
    guard let userCode = object["user_code"]?.string, (1...64).contains(userCode.count),
      sameBytes(userCode, PrintableText.oneLine(userCode))
    else { throw .invalid("user_code is missing or cannot be shown") }
    // Google spells it with `url`, as a draft of the RFC did.
    let page = object["verification_uri"] ?? object["verification_url"]
    guard let page = page?.string, (try? WebAddress(page)) != nil else {
      throw .invalid("verification_uri is missing or is not an https URL")
    }
    // A convenience: one that is not fit to be shown is left out.
    let complete = object["verification_uri_complete"]?.string.flatMap { text in
      (try? WebAddress(text)) == nil ? nil : text
    }
    guard let lifetime = TokenLifetime.read(object["expires_in"], isRenewable: true) else {
      throw .invalid("expires_in is missing")
    }
    deviceCode = code
    instructions = SignInPrompt.DeviceInstructions(
      verificationURI: page, completeVerificationURI: complete, userCode: userCode,
      validFor: lifetime)
    let interval = TokenLifetime.read(object["interval"], isRenewable: true)
    self.interval = max(.seconds(1), interval ?? Self.defaultInterval)
  }
}

extension DeviceAuthorization: CustomStringConvertible, CustomReflectable {
  /// A fixed text: whoever has the device code can poll with it.
  package var description: String { "DeviceAuthorization(not shown)" }
  /// No children, so that `dump` shows no code.
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
