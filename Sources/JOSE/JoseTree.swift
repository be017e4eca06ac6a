import CJose

/// A JSON object as libjose takes it, freed with its owner.
///
/// This file makes every call of libjose and is the only one that sees C types.
@safe struct JoseTree: ~Copyable {
  private let node: UnsafeMutablePointer<json_t>

  /// Parses an object with `json_loadb()`; nil for anything else, duplicate names and NUL.
  init?(parsing text: [UInt8]) {
    guard !text.contains(0) else { return nil }
    let parsed = unsafe text.withUnsafeBytes { buffer in
      unsafe json_loadb(
        buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count,
        Int(JSON_REJECT_DUPLICATES), nil)
    }
    guard let parsed = unsafe parsed else { return nil }
    guard unsafe parsed.pointee.type == JSON_OBJECT else {
      unsafe json_decref(parsed)
      return nil
    }
    unsafe node = parsed
  }

  /// Builds an object of strings.
  init(members: [(String, String)]) {
    guard let object = unsafe json_object() else { fatalError(Self.outOfMemory) }
    unsafe node = object
    set(members)
  }

  private init(retaining node: UnsafeMutablePointer<json_t>) {
    unsafe self.node = json_incref(node)
  }

  deinit {
    unsafe json_decref(node)
  }

  /// Sets members to strings.
  func set(_ members: [(String, String)]) {
    for (name, value) in members {
      guard unsafe json_object_set_new(node, name, json_string(value)) == 0 else {
        fatalError(Self.outOfMemory)
      }
    }
  }

  /// Copies another object's members in, replacing those of the same names.
  func update(from other: borrowing JoseTree) -> Bool {
    unsafe json_object_update(node, other.node) == 0
  }

  /// Removes a member, if there is one.
  func remove(_ name: String) {
    unsafe json_object_del(node, name)
  }

  /// Whether there is a member of that name.
  func contains(_ name: String) -> Bool {
    unsafe json_object_get(node, name) != nil
  }

  /// Whether a member is a string where it exists.
  func isAbsentOrString(_ name: String) -> Bool {
    !contains(name) || string(name) != nil
  }

  /// The member of that name where it is a string.
  func string(_ name: String) -> String? {
    unsafe json_object_get(node, name).flatMap { unsafe Self.string($0) }
  }

  /// The member of that name where it is an array of strings.
  func strings(_ name: String) -> [String]? {
    guard let count = elementCount(name) else { return nil }
    let array = unsafe json_object_get(node, name)
    let strings = (0..<count).compactMap { index in
      unsafe json_array_get(array, index).flatMap { unsafe Self.string($0) }
    }
    return strings.count == count ? strings : nil
  }

  /// How many elements the member of that name has, or nil where it is no array.
  func elementCount(_ name: String) -> Int? {
    guard let array = unsafe json_object_get(node, name),
      unsafe array.pointee.type == JSON_ARRAY
    else { return nil }
    return unsafe json_array_size(array)
  }

  /// An element of the array of that name, or nil where it is no object.
  func element(_ name: String, _ index: Int) -> JoseTree? {
    guard let element = unsafe json_array_get(json_object_get(node, name), index),
      unsafe element.pointee.type == JSON_OBJECT
    else { return nil }
    return unsafe JoseTree(retaining: element)
  }

  /// The compact text, members in order.
  var text: [UInt8] {
    let flags = Int(JSON_COMPACT)
    let length = unsafe json_dumpb(node, nil, 0, flags)
    return unsafe Array(unsafeUninitializedCapacity: length) { buffer, count in
      count = unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
        unsafe json_dumpb(node, characters.baseAddress, length, flags)
      }
    }
  }

  // Swift's own allocations trap where memory ends; a key or token with members missing would be
  // worse.
  private static let outOfMemory = "no memory is left for libjose"

  /// A node's string, or nil for any other kind of node.
  private static func string(_ node: UnsafeMutablePointer<json_t>) -> String? {
    guard let characters = unsafe json_string_value(node) else { return nil }
    let buffer = unsafe UnsafeRawBufferPointer(start: characters, count: json_string_length(node))
    return unsafe String(decoding: buffer, as: UTF8.self)
  }
}

extension JoseTree {
  /// Verifies the signature of this flattened JWS with `jose_jws_ver()`.
  func isVerified(by key: borrowing JoseTree) -> Bool {
    let (signed, key) = unsafe (node, key.node)
    return unsafe Self.withConfiguration { unsafe jose_jws_ver($0, signed, nil, key, false) }
  }

  /// Whether `jose_jws_ver_io()` takes the key for this JWS; it loads the key into OpenSSL, which
  /// checks that a point is on its curve.
  func isVerifiable(by key: borrowing JoseTree) -> Bool {
    let (signed, key) = unsafe (node, key.node)
    return unsafe Self.withConfiguration { configuration in
      let verification = unsafe jose_jws_ver_io(configuration, signed, nil, key, false)
      guard let verification = unsafe verification else { return false }
      unsafe jose_io_decref(verification)
      return true
    }
  }

  /// Adds a signature to this JWS with `jose_jws_sig()`.
  func sign(as template: borrowing JoseTree, by key: borrowing JoseTree) -> Bool {
    let (signed, template, key) = unsafe (node, template.node, key.node)
    return unsafe Self.withConfiguration { unsafe jose_jws_sig($0, signed, template, key) }
  }

  /// Completes this key's template with `jose_jwk_gen()`.
  func generateKey() -> Bool {
    let key = unsafe node
    return unsafe Self.withConfiguration { unsafe jose_jwk_gen($0, key) }
  }

  /// Removes this key's private part with `jose_jwk_pub()`.
  func removePrivatePart() -> Bool {
    let key = unsafe node
    return unsafe Self.withConfiguration { unsafe jose_jwk_pub($0, key) }
  }

  /// The SHA-256 thumbprint of RFC 7638 by `jose_jwk_thp()`; nil for what is no key.
  func thumbprint() -> String? {
    let key = unsafe node
    return unsafe Self.withConfiguration { configuration in
      guard let thumbprint = unsafe jose_jwk_thp(configuration, key, "S256") else { return nil }
      defer { unsafe json_decref(thumbprint) }
      return unsafe Self.string(thumbprint)
    }
  }

  /// Lends a configuration that prints nothing; with none libjose prints to standard error.
  private static func withConfiguration<Result>(_ body: (OpaquePointer) -> Result) -> Result {
    guard let configuration = unsafe tokenvault_jose_silent_configuration() else {
      fatalError(outOfMemory)
    }
    defer { unsafe jose_cfg_decref(configuration) }
    return unsafe body(configuration)
  }
}
