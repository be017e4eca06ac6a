import SessionModel

/// What a bar's text is made of: words and fields in braces, such as `{icon} {account}`.
///
/// The words are shown as they are: a template holds no markup of any bar. A brace is written
/// twice, `{{` or `}}`.
public struct BarTemplate: Sendable, Hashable {
  /// Something of a state that a template can name.
  enum Field: String, Sendable, Hashable, CaseIterable {
    case icon
    case namespace
    case account
    case state
    case session
    case host
    case remaining
    case reason
    case next
  }

  /// A part of a template.
  enum Part: Sendable, Hashable {
    case words(String)
    case field(Field)
  }

  /// `{icon} {account} {state} {remaining}`.
  public static let standard = BarTemplate(parts: [
    .field(.icon), .words(" "), .field(.account), .words(" "), .field(.state), .words(" "),
    .field(.remaining),
  ])

  /// The parts, in order.
  let parts: [Part]

  private init(parts: [Part]) {
    self.parts = parts
  }

  /// Reads a template.
  ///
  /// - Parameter text: the template, with the fields `icon`, `namespace`, `account`, `state`,
  ///   `session`, `host`, `remaining`, `reason` and `next`.
  /// - Throws: `BarTemplateError` with what is wrong.
  public init(_ text: String) throws(BarTemplateError) {
    var parts: [Part] = []
    var words = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      switch character {
      case "{" where rest.first == "{", "}" where rest.first == "}":
        words.append(character)
        rest.removeFirst()
      case "{":
        if !words.isEmpty { parts.append(.words(words)) }
        words = ""
        guard let end = rest.firstIndex(of: "}") else { throw .openBrace }
        parts.append(.field(try Self.field(String(rest[..<end]))))
        rest = rest[end...].dropFirst()
      case "}": throw .loneBrace
      default: words.append(character)
      }
    }
    if !words.isEmpty { parts.append(.words(words)) }
    self.parts = parts
  }

  /// Whether the text changes by itself as time goes by.
  var showsRemaining: Bool { parts.contains(.field(.remaining)) }

  private static func field(_ name: String) throws(BarTemplateError) -> Field {
    guard let field = Field(rawValue: name) else {
      throw .unknownField(name, meant: NearestName.of(name, in: Field.allCases.map(\.rawValue)))
    }
    return field
  }
}

/// What is wrong with a template.
public enum BarTemplateError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A brace is opened and never closed.
  case openBrace
  /// A brace is closed that was never opened.
  case loneBrace
  /// There is no field of that name; `meant` is the nearest one that there is.
  case unknownField(String, meant: String?)

  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .openBrace: return "a field's closing brace is missing; a brace itself is written {{"
    case .loneBrace: return "a closing brace stands alone; a brace itself is written }}"
    case .unknownField(let name, let meant):
      let names = BarTemplate.Field.allCases.map(\.rawValue).joined(separator: ", ")
      let hint = meant.map { "; did you mean {\($0)}?" } ?? "; the fields are \(names)"
      return "there is no field \(PrintableText.quoted(name))\(hint)"
    }
  }
}
