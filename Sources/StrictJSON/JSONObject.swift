/// A JSON object that keeps its members in the order in which they were written or added.
///
/// No name occurs twice. Names are compared by their UTF-8 bytes.
package struct JSONObject: Sendable, Equatable {
  /// A name together with its value.
  package struct Member: Sendable, Equatable {
    /// The member's name.
    package let name: String
    /// The member's value.
    package var value: JSONValue

    /// Compares names by bytes, then values.
    package static func == (left: Member, right: Member) -> Bool {
      left.name.utf8.elementsEqual(right.name.utf8) && left.value == right.value
    }
  }

  /// The members in order.
  package private(set) var members: [Member]

  /// Makes an object of pairs; a later pair of the same name replaces the earlier one's value.
  package init(_ members: [(String, JSONValue)] = []) {
    self.members = []
    self.members.reserveCapacity(members.count)
    for (name, value) in members { self[name] = value }
  }

  /// Makes an object of members whose names are known to differ, as jansson has checked.
  init(distinct members: [Member]) {
    self.members = members
  }

  /// The value of that name, or nil; assigning replaces in place or appends, nil removes.
  package subscript(name: String) -> JSONValue? {
    get {
      members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }
    set {
      let index = members.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(name: name, value: value))
      case (nil, nil): break
      }
    }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Makes an object of a literal, members in the literal's order.
  package init(dictionaryLiteral members: (String, JSONValue)...) {
    self.init(members)
  }
}
