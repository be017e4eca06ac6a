import FileSupport
import Glibc
import Testing

@Suite struct AnonymousFileTests {
  @Test func anybodyWhoInheritsItReadsItFromTheStartAndCannotWrite() throws {
    let file = try AnonymousFile.makeInherited(named: "test", holding: Array("secret".utf8))
    defer { close(file) }
    for _ in 0..<2 {
      let number = unsafe open("/proc/self/fd/\(file)", O_RDONLY | O_CLOEXEC)
      let reading = FileDescriptor(owning: number)
      #expect(
        try readToEnd(of: reading.rawValue, limit: 100, path: "test") == Array("secret".utf8))
    }
    #expect(fcntl(file, F_GETFD) & FD_CLOEXEC == 0)
    #expect(fcntl(file, F_GETFL) & O_ACCMODE == O_RDONLY)
    var status = stat()
    try #require(unsafe fstat(file, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o400)
    #expect(status.st_nlink == 0)
  }
}
