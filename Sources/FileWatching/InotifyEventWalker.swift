/// Walks over the events that `read(2)` has given of an inotify descriptor, see inotify(7).
package struct InotifyEventWalker: Sendable {
  // struct inotify_event: wd, mask, cookie and len in 32 bits each, then a name of len bytes.
  private static let headerLength = 16

  private var bytes: [UInt8] = []
  private var position = 0
  /// The watch descriptor of the event that was walked to last.
  package private(set) var watch: Int32 = -1
  /// Its mask.
  package private(set) var mask: UInt32 = 0
  /// The bytes of its name without the padding; empty where it has none.
  package private(set) var name: [UInt8] = []

  /// Creates a walker that has no events.
  package init() {}

  /// Takes in what was read, in the place of what there was.
  package mutating func take(_ read: some Sequence<UInt8>) {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: read)
    position = 0
  }

  /// Walks to the next event; false when none is left, or what is left is none.
  package mutating func next() -> Bool {
    guard bytes.count - position >= Self.headerLength else { return false }
    let length = Int(number(at: position + 12))
    let start = position + Self.headerLength
    guard length <= bytes.count - start else { return false }
    watch = Int32(bitPattern: number(at: position))
    mask = number(at: position + 4)
    name.removeAll(keepingCapacity: true)
    name.append(contentsOf: bytes[start..<start + length].prefix { $0 != 0 })
    position = start + length
    return true
  }

  private func number(at offset: Int) -> UInt32 {
    // The kernel writes for this machine, which is little-endian as everything that Swift runs on.
    (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * $1) }
  }
}
