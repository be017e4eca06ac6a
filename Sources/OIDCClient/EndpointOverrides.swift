/// Endpoints named by the configuration, in place of those that the provider's metadata names.
package struct EndpointOverrides: Sendable, Hashable {
  /// The authorization endpoint.
  package var authorization: String?
  /// The token endpoint.
  package var token: String?
  /// The device authorization endpoint.
  package var deviceAuthorization: String?
  /// The revocation endpoint.
  package var revocation: String?
  /// The introspection endpoint.
  package var introspection: String?
  /// The UserInfo endpoint.
  package var userInfo: String?
  /// The location of the key set.
  package var keys: String?

  /// Makes overrides; what is nil is taken from the metadata.
  package init(
    authorization: String? = nil, token: String? = nil, deviceAuthorization: String? = nil,
    revocation: String? = nil, introspection: String? = nil, userInfo: String? = nil,
    keys: String? = nil
  ) {
    self.authorization = authorization
    self.token = token
    self.deviceAuthorization = deviceAuthorization
    self.revocation = revocation
    self.introspection = introspection
    self.userInfo = userInfo
    self.keys = keys
  }
}
