/// Configurations to start from, one for each kind of provider: `example-config`.
package enum ExampleConfiguration: String, Sendable, CaseIterable {
  /// Google.
  case google
  /// Microsoft Entra ID.
  case microsoft
  /// GitHub, which is plain OAuth 2.0.
  case github
  /// Keycloak.
  case keycloak
  /// Any other OpenID provider, with every key that there is.
  case generic

  /// The text of a configuration file.
  package var text: String {
    switch self {
    case .google: Self.googleText
    case .microsoft: Self.microsoftText
    case .github: Self.gitHubText
    case .keycloak: Self.keycloakText
    case .generic: Self.genericText
    }
  }

  private static let googleText = """
    # TokenVault with Google. Save as ~/.config/tokenvault/config.toml (chmod 0600).
    #
    # 1. https://console.cloud.google.com/apis/credentials: create an "OAuth client ID" of the
    #    type "Desktop app" and copy both values.
    # 2. Put the client secret into the file named below (chmod 0600). Google asks for it although
    #    a desktop program cannot keep it.
    # 3. tokenvault sign-in primary

    [namespaces.primary]
    issuer = "https://accounts.google.com"
    clientId = "REPLACE-ME.apps.googleusercontent.com"
    clientSecretFile = "~/.config/tokenvault/google-client-secret"
    # Google does not know "offline_access"; the parameters below ask for a refresh token instead.
    # Add the scopes of the APIs that your widgets call, such as
    # "https://www.googleapis.com/auth/calendar.readonly".
    scopes = ["openid", "email", "profile"]
    authorizationParameters = { access_type = "offline", prompt = "consent" }

    # A project in the state "Testing" gets refresh tokens that end after seven days:
    # publish it ("In production") to be signed in for longer.

    """

  private static let microsoftText = """
    # TokenVault with Microsoft Entra ID. Save as ~/.config/tokenvault/config.toml.
    #
    # 1. https://entra.microsoft.com, App registrations, New registration. Platform: "Mobile and
    #    desktop applications" with the redirect URI http://localhost/callback (any port is then
    #    accepted).
    # 2. Replace both placeholders. The tenant has to be its identifier: "common" and
    #    "organizations" announce another issuer than their own, which is refused.
    # 3. tokenvault sign-in primary

    [namespaces.primary]
    issuer = "https://login.microsoftonline.com/00000000-0000-0000-0000-000000000000/v2.0"
    clientId = "00000000-0000-0000-0000-000000000000"
    redirect = "http://localhost/callback"
    # The scopes of one API at a time: Microsoft Graph here.
    scopes = ["openid", "profile", "offline_access", "User.Read"]

    # Without a browser: allow public client flows (Authentication, Advanced settings) and use
    # flow = "device"

    """

  private static let gitHubText = """
    # TokenVault with GitHub. Save as ~/.config/tokenvault/config.toml.
    #
    # GitHub is plain OAuth 2.0 here: no metadata, no ID token, so all endpoints are named.
    #
    # 1. https://github.com/settings/apps: register a GitHub App, enable the device flow, and keep
    #    "Expire user authorization tokens" on: then there are refresh tokens, and they rotate.
    #    (An "OAuth App" gives one token that never expires and no refresh token.)
    # 2. Replace the client identifier. The device flow needs no client secret.
    # 3. tokenvault sign-in primary

    [namespaces.primary]
    issuer = "https://github.com"
    clientId = "REPLACE-ME"
    flow = "device"
    # The rights of a GitHub App are those of its registration; an OAuth App takes scopes such as
    # scopes = ["read:user", "notifications"]
    account = "github"

    [namespaces.primary.endpoints]
    authorization = "https://github.com/login/oauth/authorize"
    token = "https://github.com/login/oauth/access_token"
    deviceAuthorization = "https://github.com/login/device/code"

    # For the browser flow: remove the line with flow, register http://127.0.0.1/callback as the
    # callback URL, and add to [namespaces.primary]
    # clientSecretFile = "~/.config/tokenvault/github-client-secret"
    # clientAuthentication = "post"

    """

  private static let keycloakText = """
    # TokenVault with Keycloak. Save as ~/.config/tokenvault/config.toml.
    #
    # 1. In the realm: Clients, Create client. Type OpenID Connect; "Client authentication" off;
    #    "Standard flow" on (and "OAuth 2.0 Device Authorization Grant" for flow = "device");
    #    valid redirect URIs http://127.0.0.1/* and http://[::1]/*.
    # 2. Replace the issuer and the client identifier. The issuer ends with the realm's name and
    #    has no slash behind it; before Keycloak 17 there is /auth before /realms.
    # 3. tokenvault sign-in primary

    [namespaces.primary]
    issuer = "https://keycloak.example/realms/REPLACE-ME"
    clientId = "tokenvault"
    # "offline_access" keeps the session when the person signs out elsewhere or the server
    # restarts. Without it the session ends with the realm's SSO limits.
    scopes = ["openid", "profile", "offline_access"]

    # Rotation: Realm settings, Tokens, "Revoke Refresh Token" on. TokenVault needs "Refresh Token
    # Max Reuse" to be 0.

    """

  private static let genericText = """
    # TokenVault with any OpenID provider. Save as ~/.config/tokenvault/config.toml.
    # Every key that there is; those that are commented out show an example or their default.

    # Where what opens the stored sessions is kept: "file", "command", "credential" or "passphrase".
    # After a change, with the old means still named here: tokenvault-host rekey
    # keyStorage = "file"
    # Prints the key that tokenvault-host new-key has made.
    # keyCommand = ["secret-tool", "lookup", "application", "tokenvault"]
    # The name in LoadCredentialEncrypted= of systemd.
    # keyCredential = "tokenvault-key"
    # Asks for the passphrase; without it, tokenvault unlock does.
    # passphraseCommand = ["zenity", "--password", "--title=TokenVault"]
    # Locks the host while your session is locked (logind); not with keyStorage = "file". Nothing is
    # renewed meanwhile, and with "passphrase" not before you have given that again.
    # lockWithSession = false

    # One notification on the desktop when a session needs you or its login is about to end, taken away
    # once you have signed in. Not in a system service.
    # notifications = true

    # Where the host is a system service: the Unix group whose members read an access group.
    # [accessGroups.default]
    # unixGroup = "tokenvault-readers"

    [namespaces.primary]
    # Exactly as the provider announces it: https, or http on 127.0.0.1 or [::1].
    issuer = "https://id.example"
    clientId = "desktop"
    # scopes = ["openid", "offline_access"]

    # Only where the provider insists on a secret; one of the three.
    # clientSecret = "..."
    # clientSecretFile = "~/.config/tokenvault/client-secret"
    # clientSecretCommand = ["secret-tool", "lookup", "client", "desktop"]
    # How it is sent, where the provider does not announce it: "basic" or "post".
    # clientAuthentication = "basic"

    # "browser" on this machine, or "device" for a code on another one.
    # flow = "browser"
    # Only where the provider insists on an exact URI; a list is tried in order.
    # redirect = ["http://127.0.0.1:8400/callback", "http://localhost:8401/callback"]
    # Signs in inside a private window: nothing of it is left in the browser afterwards. A command
    # in place of true opens one, %s in it standing for the address.
    # privateBrowser = true
    # authorizationParameters = { prompt = "consent" }
    # What "tokenvault sign-in --login-method google" sends besides.
    # loginMethods = { google = { kc_idp_hint = "google" }, passkey = { acr_values = "phr" } }

    # Which programs may read the snapshot, and what the account is called in bars.
    # accessGroups = ["default"]
    # account = "work"

    # Renew this long before the token expires, a quarter of its life at most.
    # renewBefore = "60s"
    # Where the provider does not say how long a token lives.
    # assumedLifetime = "1h"
    # automaticSilentRenew = true
    # Gives the refresh token to every reader. Leave it off.
    # shareRefreshToken = false
    # Where the provider announces proof keys (PKCE) without S256.
    # allowMissingPKCE = false

    # proxy = "http://proxy.example:3128"
    # caFile = "/etc/ssl/private-ca.pem"

    # Told when renewals begin to fail, when the session ends, once before the login itself does, and
    # when a sign-in was cut off. No shell reads it.
    # onError = ["notify-send", "TokenVault"]

    # In place of what the provider announces. With token and authorization or
    # deviceAuthorization, nothing is asked for: plain OAuth 2.0.
    # [namespaces.primary.endpoints]
    # authorization = "https://id.example/authorize"
    # token = "https://id.example/token"
    # deviceAuthorization = "https://id.example/device"
    # revocation = "https://id.example/revoke"
    # introspection = "https://id.example/introspect"
    # userinfo = "https://id.example/userinfo"
    # jwks = "https://id.example/keys"

    """
}
