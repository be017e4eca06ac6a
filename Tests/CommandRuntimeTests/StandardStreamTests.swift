import CommandRuntime
import FileSupport
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct StandardStreamTests {
  @Test func writesARecordAndItsLineEndInOneCall() throws {
    // A datagram socket keeps the borders between calls.
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_DGRAM.rawValue)
    try #require(unsafe socketpair(AF_UNIX, type, 0, &ends) == 0)
    let writing = FileDescriptor(owning: ends[0])
    let reading = FileDescriptor(owning: ends[1])
    let stream = StandardStream(descriptor: writing.rawValue)
    let record = Array("token".utf8)
    try unsafe stream.write(record.span.bytes, endsLine: true)
    try stream.write("a\nb\n")
    #expect(received(reading.rawValue) == "token\n")
    #expect(received(reading.rawValue) == "a\nb\n")
  }

  @Test func writesAllOfALongRecordToASlowReader() async throws {
    let pipe = try FileSupport.Pipe()
    let writing = pipe.writing.rawValue
    _ = fcntl(writing, F_SETFL, fcntl(writing, F_GETFL) | O_NONBLOCK)
    let record = [UInt8](repeating: 0x61, count: 300_000)
    async let written: Void = TestThread.run {
      try unsafe StandardStream(descriptor: writing).write(record.span.bytes, endsLine: true)
    }
    let reading = pipe.reading.rawValue
    let bytes = try await TestThread.run {
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 4096)
      while bytes.count <= record.count {
        let count = unsafe read(reading, &chunk, chunk.count)
        guard count > 0 else { break }
        bytes += chunk[..<count]
      }
      return bytes
    }
    try await written
    #expect(bytes == record + [0x0A])
  }

  @Test func saysThatTheReaderIsGone() throws {
    _ = signal(SIGPIPE, SIG_IGN)
    let pipe = try FileSupport.Pipe()
    let number = pipe.writing.rawValue
    let copy = FileDescriptor(owning: dup(number))
    _ = pipe.takeReadingEnd()
    #expect(throws: Errno(rawValue: EPIPE)) {
      try StandardStream(descriptor: copy.rawValue).write("lost\n")
    }
  }

  @Test(arguments: [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO])
  func theNumberOfAClosedStreamIsTakenByNothingElse(number: Int32) async {
    await #expect(processExitsWith: .success) { [number] in
      let others = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].filter { $0 != number }
      let before = others.map { fcntl($0, F_GETFL) }
      // Else another thread of the test runner may take the number in between.
      try ThreadSharing.end(ThreadSharing.descriptors)
      try #require(close(number) == 0)
      StandardStream.holdClosed()
      let next = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
      try #require(next > STDERR_FILENO)
      try #require(fcntl(number, F_GETFD) == FD_CLOEXEC, "a program that is executed has none")
      var byte: UInt8 = 0
      let count = unsafe number == STDIN_FILENO ? read(number, &byte, 1) : write(number, &byte, 1)
      try #require(count == -1 && errno == EBADF)
      try #require(others.map { fcntl($0, F_GETFL) } == before)
    }
  }

  private func received(_ descriptor: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }
}
