import FileWatching
import Glibc
import TestSupport
import Testing

@Suite struct InotifyEventWalkerTests {
  @Test func eachEventIsToldWithItsName() {
    var walker = InotifyEventWalker()
    #expect(advance(&walker) == false)
    walker.take(Self.event(3, 0x80, name: "session", padding: 9) + Self.event(-1, 0x4000))
    #expect(advance(&walker) == true)
    #expect(walker.watch == 3 && walker.mask == 0x80 && walker.name == Array("session".utf8))
    #expect(advance(&walker) == true)
    #expect(walker.watch == -1 && walker.mask == 0x4000 && walker.name == [])
    #expect(advance(&walker) == false)
    walker.take(Self.event(4, 0x200, name: "x", padding: 15))
    #expect(advance(&walker) == true)
    #expect(walker.watch == 4 && walker.name == Array("x".utf8))
  }

  @Test func whatIsCutIsNoEvent() {
    let whole = Self.event(3, 0x80, name: "session", padding: 9)
    for length in 0..<whole.count {
      var walker = InotifyEventWalker()
      walker.take(whole.prefix(length))
      #expect(advance(&walker) == false, "\(length) bytes")
    }
  }

  @Test func whatTheKernelWritesIsRead() throws {
    let directory = try TemporaryDirectory()
    let descriptor = inotify_init1(Int32(IN_NONBLOCK))
    defer { close(descriptor) }
    let watch = unsafe inotify_add_watch(descriptor, directory.path, UInt32(IN_MOVED_TO))
    try directory.write("1", to: ".new")
    try TestFile.rename(directory.file(".new"), to: directory.file("session"))
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(descriptor, &buffer, buffer.count)
    var walker = InotifyEventWalker()
    walker.take(buffer.prefix(max(0, count)))
    #expect(advance(&walker) == true)
    #expect(walker.watch == watch && walker.mask == UInt32(IN_MOVED_TO))
    #expect(walker.name == Array("session".utf8))
    #expect(advance(&walker) == false)
  }

  private static func event(
    _ watch: Int32, _ mask: UInt32, name: String = "", padding: Int = 0
  ) -> [UInt8] {
    let name = Array(name.utf8) + Array(repeating: 0, count: padding)
    let numbers = [UInt32(bitPattern: watch), mask, 0, UInt32(name.count)]
    return numbers.flatMap { little($0) } + name
  }

  // `#expect` has no place to mutate.
  private func advance(_ walker: inout InotifyEventWalker) -> Bool { walker.next() }
}
