import HostConfiguration
import Testing

@Suite struct ConfigurationErrorTests {
  /// A line of [namespaces.primary] on line 4, and what is said of it.
  @Test(arguments: [
    // Keys.
    ("isuer = \"x\"", "unknown key \"isuer\" in [namespaces.primary]; did you mean \"issuer\"?"),
    (
      "client_secret = \"x\"",
      "unknown key \"client_secret\" in [namespaces.primary]; did you mean \"clientSecret\"?"
    ),
    (
      "colour = 1",
      "unknown key \"colour\" in [namespaces.primary]; the keys that can stand there are issuer,"
        + " clientId, scopes, clientSecret, clientSecretFile, clientSecretCommand,"
        + " clientAuthentication, flow, redirect, privateBrowser, authorizationParameters,"
        + " loginMethods, endpoints, accessGroups, account, renewBefore, assumedLifetime, automaticSilentRenew,"
        + " shareRefreshToken, allowMissingPKCE, proxy, caFile, onError"
    ),
    (
      "endpoints = { tokn = \"https://id.example\" }",
      "unknown key \"tokn\" in [namespaces.primary.endpoints]; did you mean \"token\"?"
    ),
    // Kinds.
    (
      "scopes = \"openid\"",
      "\"scopes\" in [namespaces.primary] has to be a list of strings, not a string;"
        + " for example scopes = [\"openid\", \"offline_access\"]"
    ),
    (
      "scopes = [\"openid\", 1]",
      "\"scopes\" in [namespaces.primary] has to be a list of strings, but one element is an"
        + " integer; for example scopes = [\"openid\", \"offline_access\"]"
    ),
    (
      "account = 1.5",
      "\"account\" in [namespaces.primary] has to be a string, not a number;"
        + " for example account = \"work\""
    ),
    (
      "account = 2026-01-01",
      "\"account\" in [namespaces.primary] has to be a string, not a date;"
        + " for example account = \"work\""
    ),
    (
      "automaticSilentRenew = \"yes\"",
      "\"automaticSilentRenew\" in [namespaces.primary] has to be true or false, not a string;"
        + " for example automaticSilentRenew = true"
    ),
    (
      "renewBefore = 60",
      "\"renewBefore\" in [namespaces.primary] has to be a duration in quotes, not an integer;"
        + " for example renewBefore = \"60s\""
    ),
    (
      "endpoints = \"https://id.example\"",
      "\"endpoints\" in [namespaces.primary] has to be a table, not a string;"
        + " for example endpoints = { deviceAuthorization = \"https://id.example/device\" }"
    ),
    (
      "redirect = true",
      "\"redirect\" in [namespaces.primary] has to be a string or a list of strings, not a boolean;"
        + " for example redirect = \"http://127.0.0.1:8400/callback\""
    ),
    (
      "onError = \"notify-send x\"",
      "\"onError\" in [namespaces.primary] has to be a list of strings, a program and its"
        + " arguments, not a string; for example onError = [\"notify-send\", \"TokenVault\"]"
    ),
    // Values.
    (
      "account = \"\"",
      "\"account\" in [namespaces.primary] is an empty string; fill it in or remove it"
    ),
    (
      "account = \"a\\u0000b\"",
      "\"account\" in [namespaces.primary] holds a control character; remove it"
    ),
    (
      "accessGroups = []",
      "\"accessGroups\" in [namespaces.primary] is empty; for example accessGroups = [\"default\"]"
    ),
    (
      "accessGroups = [\"a/b\"]",
      "\"accessGroups\" in [namespaces.primary] holds the name \"a/b\", which is not allowed; use 1"
        + " to 64 letters, digits, \".\", \"_\" or \"-\", the first a letter or a digit"
    ),
    (
      "scopes = [\"openid profile\"]",
      "\"scopes\" in [namespaces.primary] holds \"openid profile\", which is not one scope; write"
        + " each on its own"
    ),
    (
      "flow = \"devise\"",
      "\"flow\" in [namespaces.primary] is \"devise\" and has to be \"browser\" or \"device\"; did"
        + " you mean \"device\"?"
    ),
    (
      "clientAuthentication = \"jwt\"",
      "\"clientAuthentication\" in [namespaces.primary] is \"jwt\" and has to be \"basic\" or"
        + " \"post\""
    ),
    (
      "renewBefore = \"60\"",
      "\"renewBefore\" in [namespaces.primary]: \"60\" is not a duration: its unit is missing;"
        + " write it like 30s, 2m30s, 500ms or 1h"
    ),
    (
      "assumedLifetime = \"0s\"",
      "\"assumedLifetime\" in [namespaces.primary] is 0s; it has to be 1s at least"
    ),
    (
      "proxy = \"proxy.example:3128\"",
      "\"proxy\" in [namespaces.primary] is not a proxy's URL; write it like"
        + " http://proxy.example:3128 (http, https, socks5, socks5h)"
    ),
    (
      "authorizationParameters = { state = \"x\" }",
      "\"authorizationParameters\" in [namespaces.primary] cannot set \"state\", which the host sets"
        + " itself; remove it"
    ),
    (
      "authorizationParameters = { max_age = 1 }",
      "\"authorizationParameters\" in [namespaces.primary] has to hold strings, but \"max_age\" is an"
        + " integer"
    ),
    (
      "authorizationParameters = { \"\" = \"x\" }",
      "\"authorizationParameters\" in [namespaces.primary] holds an empty name; remove it"
    ),
    (
      "privateBrowser = \"firefox\"",
      "\"privateBrowser\" in [namespaces.primary] has to be true, false or a list of strings, a"
        + " program and its arguments, not a string; for example privateBrowser = [\"firefox\","
        + " \"--private-window\", \"%s\"]"
    ),
    (
      "loginMethods = { google = \"x\" }",
      "\"loginMethods\" in [namespaces.primary] has to hold parameters for \"google\"; for example"
        + " loginMethods = { google = { kc_idp_hint = \"google\" } }"
    ),
    (
      "loginMethods = { google = {} }",
      "\"loginMethods\" in [namespaces.primary] has to hold parameters for \"google\"; for example"
        + " loginMethods = { google = { kc_idp_hint = \"google\" } }"
    ),
    (
      "loginMethods = { google = { nonce = \"x\" } }",
      "\"loginMethods\" in [namespaces.primary] cannot set \"nonce\", which the host sets itself;"
        + " remove it"
    ),
    (
      "clientSecret = \"hunter2\"\nclientSecretFile = \"x\"",
      "\"clientSecret\" and \"clientSecretFile\" in [namespaces.primary] exclude each other; keep"
        + " one of them"
    ),
  ])
  func namesTheKeyAndTheMend(line: String, sentence: String) {
    let number = line.contains("\n") ? 5 : 4
    #expect(problems(namespace(line)) == ["\(number): \(sentence)"])
  }

  @Test(arguments: [
    (
      "http://id.example",
      "uses http, which is not encrypted; use https, or http on 127.0.0.1 or [::1]"
    ),
    (
      "http://127.0.0.1.example",
      "uses http, which is not encrypted; use https, or http on 127.0.0.1 or [::1]"
    ),
    (
      "http://localhost:8080",
      "uses http on a name, which can be made to mean another machine; use 127.0.0.1 or https"
    ),
    ("id.example", "is not a URL; write it like https://id.example"),
    ("https://", "is not a URL; write it like https://id.example"),
    ("https://id.example:99999", "is not a URL; write it like https://id.example"),
    ("https://id.example/ü", "is not a URL; write it like https://id.example"),
    ("ftp://id.example", "is neither https nor http; use https"),
    ("https://me:hunter2@id.example", "carries a user name or password; remove it"),
    ("https://id.example?x=hunter2", "has a query, which it never has; remove it"),
    ("https://id.example/#a", "has a fragment, which it never has; remove it"),
  ])
  func refusesAnIssuerThatCannotBeTrusted(issuer: String, problem: String) {
    let text = "[namespaces.primary]\nissuer = \"\(issuer)\"\nclientId = \"x\"\n"
    #expect(problems(text) == ["2: \"issuer\" in [namespaces.primary] \(problem)"])
    #expect(
      problems(namespace("endpoints = { token = \"\(issuer)\" }")).first
        == (issuer.contains("?")
          ? nil
          : "4: \"token\" in [namespaces.primary.endpoints] "
            + problem.replacing("https://id.example", with: "https://id.example/token")))
  }

  @Test(arguments: ["http://127.0.0.1:1", "http://127.9.9.9", "http://[::1]:80/x", "HTTPS://A.B"])
  func acceptsAnIssuerOnThisMachine(issuer: String) {
    #expect(
      problems("[namespaces.primary]\nissuer = \"\(issuer)\"\nclientId = \"x\"\n").isEmpty)
  }

  @Test(arguments: [
    (
      "com.example.app:/callback",
      "is a scheme without a host and a path; write it like com.example.app://sign-in/callback"
    ),
    (
      "com.example.app://callback",
      "has no path; write it like com.example.app://sign-in/callback"
    ),
    (
      "myapp://sign-in/callback",
      "has a scheme that anybody may use: take a domain name of yours, reversed and in lower"
        + " case; write it like com.example.app://sign-in/callback"
    ),
    (
      "com..app://sign-in/callback",
      "has a scheme that anybody may use: take a domain name of yours, reversed and in lower"
        + " case; write it like com.example.app://sign-in/callback"
    ),
    (
      "com.example.app://sign-in/call%20back",
      "has more than small letters, digits and /-._~ behind its scheme, which a desktop may"
        + " change; write it like com.example.app://sign-in/callback"
    ),
    (
      "https://127.0.0.1/callback",
      "uses https, for which this machine has no certificate; write it like"
        + " http://127.0.0.1:8400/callback"
    ),
    (
      "http://app.example/callback",
      "is not on this machine; use 127.0.0.1, [::1] or localhost"
    ),
    ("http://127.0.0.1:0/", "is not a URL; write it like http://127.0.0.1:8400/callback"),
    (
      "http://127.0.0.1/?a=b", "has a query or a fragment, which cannot be compared; remove it"
    ),
    (
      "http://127.0.0.1/a%20b",
      "has a % escape, which has more than one spelling; use plain characters"
    ),
    ("http://me@127.0.0.1/", "carries a user name or password; remove it"),
    (
      "http://127.0.0.1/a|b",
      "is not spelled as it is listened on, in plain characters; write it like"
        + " http://127.0.0.1:8400/callback"
    ),
    (
      "HTTP://127.0.0.1/callback",
      "is not spelled as it is listened on, in plain characters; write it like"
        + " http://127.0.0.1:8400/callback"
    ),
  ])
  func na01RefusesARedirectThatCannotBeListenedOn(redirect: String, problem: String) {
    #expect(
      problems(namespace("redirect = [\"http://127.0.0.1/\", \"\(redirect)\"]"))
        == ["4: \"redirect\" in [namespaces.primary] \(problem)"])
  }

  @Test(arguments: ["\"../x\"", "\"a/b\"", "\"\"", "\".hidden\"", "\"-x\"", "\"ü\"", "\"a b\""])
  func refusesNamesThatAreNoDirectory(name: String) {
    #expect(
      problems("\n[namespaces.\(name)]\nissuer = 1\n") == [
        "2: the namespace name \(name) is not allowed; use 1 to 64 letters, digits, \".\", \"_\""
          + " or \"-\", the first a letter or a digit"
      ])
  }

  @Test(arguments: [
    (
      "[namespaces]\nissuer = \"https://id.example\"\n",
      "2: \"issuer\" stands in [namespaces] itself; put it below a name, such as"
        + " [namespaces.primary]"
    ),
    (
      "[primary]\nissuer = \"https://id.example\"\n",
      "1: unknown key \"primary\" at the top level; write [namespaces.primary]"
    ),
    (
      "[namespace.primary]\n",
      "1: unknown key \"namespace\" at the top level; did you mean \"namespaces\"?"
    ),
    (
      "issuer = \"x\"\n",
      "1: unknown key \"issuer\" at the top level; the keys that can stand there are keyStorage,"
        + " keyCommand, keyCredential, passphraseCommand, lockWithSession, notifications, namespaces,"
        + " accessGroups"
    ),
    (
      "namespaces = 3\n",
      "1: \"namespaces\" at the top level has to be a table, not an integer; for example"
        + " namespaces = {}, or start with [namespaces.primary]"
    ),
  ])
  func saysWhereThingsBelong(text: String, problem: String) {
    #expect(problems(text) == [problem])
  }

  @Test func saysWhatIsMissing() {
    #expect(
      problems("# comment\n[namespaces.primary]\nflow = \"device\"\n") == [
        "2: \"issuer\" is missing in [namespaces.primary]; add issuer = \"https://id.example\"",
        "2: \"clientId\" is missing in [namespaces.primary]; add clientId = \"...\", as the provider"
          + " calls this client",
      ])
  }

  @Test func reportsEverythingByLine() {
    let text = """
      [namespaces.b]
      issuer = "http://id.example"
      scope = ["openid"]
      [namespaces.a]
      clientId = 7
      """
    #expect(
      problems(text).map { $0.prefix { $0 != ":" } } == ["1", "2", "3", "4", "5"])
  }

  @Test func stopsAtTwenty() {
    let many = (1...23).map { "zzzzzzz\($0) = 1\n" }.joined()
    let lines = problems(namespace(many))
    #expect(lines.count == 21)
    #expect(lines.last == " 3 more are not shown")
    #expect(lines.first?.hasPrefix("4: unknown key \"zzzzzzz1\"") == true)
    #expect(
      problems(namespace((1...21).map { "zzzzzzz\($0) = 1\n" }.joined())).last
        == " 1 more problem is not shown")
  }
}
