import StrictJSON
import TestSupport

/// Debian's Chromium without a screen, and a person in front of it.
///
/// It ends with this object, with its profile.
final class ChromiumBrowser: Sendable {
  /// Whether the browser and its driver are installed.
  static let isInstalled = Environment.searchPath.split(separator: ":").contains {
    TestFile.exists("\($0)/chromium") && TestFile.exists("\($0)/chromedriver")
  }
  /// Where the pictures of pages are left.
  static let pictures = "\(PackageLayout.root)/.build/screenshots"

  private let tool: RunningTool

  private init(_ tool: RunningTool) {
    self.tool = tool
  }

  deinit { tool.closeInput() }

  /// Starts a browser and returns when it obeys.
  ///
  /// - Throws: `ChromiumError` with the driver's own words.
  static func start() async throws -> ChromiumBrowser {
    let browser = ChromiumBrowser(
      try RunningTool(
        ToolRequest(
          "\(PackageLayout.root)/Tests/Providers/chromium", [pictures],
          environment: ["PATH": Environment.searchPath], input: .open, limit: .seconds(240))))
    _ = try await browser.answer()
    return browser
  }

  /// Goes to a page.
  func visit(_ url: String) async throws { _ = try await ask("visit \(url)") }

  /// Signs in at Glewlwyd's own pages, until it has sent the browser back.
  func signIn(_ url: String) async throws { _ = try await ask("sign-in \(url)") }

  /// Takes pictures of the page, light and dark.
  func takePictures(_ name: String) async throws { _ = try await ask("shot \(name)") }

  /// Takes a picture of the page as a telephone shows it.
  func takeNarrowPicture(_ name: String) async throws { _ = try await ask("narrow \(name)") }

  /// Reads the page.
  func read() async throws -> ChromiumPage { ChromiumPage(try await ask("read")) }

  /// Ends the browser.
  func stop() async {
    tool.closeInput()
    _ = await tool.result()
  }

  private func ask(_ command: String) async throws -> JSONObject {
    tool.write(command + "\n")
    return try await answer()
  }

  private func answer() async throws -> JSONObject {
    let line: String
    do {
      line = try await tool.output.next()
    } catch {
      throw ChromiumError(description: await tool.result().error)
    }
    guard let object = try JSONValue(parsing: Array(line.utf8)).object else {
      throw ChromiumError(description: line)
    }
    if let error = object["error"]?.string { throw ChromiumError(description: error) }
    return object
  }
}

/// What a person sees on a page, and what the page did.
struct ChromiumPage: Sendable {
  let title: String
  let heading: String
  let text: String
  let role: String
  let language: String
  /// The values in the address's query that stand in the page's source.
  let echoes: [String]
  /// How many values the address's query has.
  let queryValues: Int
  /// What the page's document asked the network for, itself included.
  let requests: [String]
  /// Where the page is, without its query.
  let address: String
  /// How many elements could load, send or run something.
  let elements: Int
  let isStyled: Bool

  fileprivate init(_ object: JSONObject) {
    title = object["title"]?.string ?? ""
    heading = object["heading"]?.string ?? ""
    text = object["text"]?.string ?? ""
    role = object["role"]?.string ?? ""
    language = object["language"]?.string ?? ""
    echoes = object["echoes"]?.array?.compactMap(\.string) ?? ["?"]
    queryValues = Int(object["queryValues"]?.number ?? 0)
    requests = object["requests"]?.array?.compactMap(\.string) ?? []
    address = object["at"]?.string ?? ""
    elements = Int(object["elements"]?.number ?? -1)
    isStyled = object["isStyled"]?.bool ?? false
  }
}

/// The browser did not do what it was told.
struct ChromiumError: Error, CustomStringConvertible {
  let description: String
}
