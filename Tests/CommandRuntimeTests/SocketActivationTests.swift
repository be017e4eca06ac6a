import CommandRuntime
import FileSupport
import TestSupport
import Testing

struct SocketActivationTests {
  @Test(
    arguments: [
      (["LISTEN_PID": "7", "LISTEN_FDS": "1"], 1), (["LISTEN_PID": "7", "LISTEN_FDS": "3"], 3),
      (["LISTEN_PID": "8", "LISTEN_FDS": "1"], 0), (["LISTEN_FDS": "1"], 0),
      (["LISTEN_PID": "7"], 0), (["LISTEN_PID": "7", "LISTEN_FDS": "0"], 0),
      (["LISTEN_PID": "7", "LISTEN_FDS": "-1"], 0), (["LISTEN_PID": "7", "LISTEN_FDS": "x"], 0),
      (["LISTEN_PID": "07", "LISTEN_FDS": "1"], 0),
      (["LISTEN_PID": "7", "LISTEN_FDS": "99999"], 0), ([:], 0),
    ] as [([String: String], Int)])
  func sv06OnlyDescriptorsForThisProcessCount(variables: [String: String], count: Int) {
    #expect(SocketActivation.count(environment: .init(variables), process: 7) == count)
  }

  @Test func onlyAListeningSocketInTheFileSystemIsTaken() throws {
    let directory = try TemporaryDirectory()
    let home = try Directory.open(path: directory.path, policy: .ownerOnly)
    let listener = try UnixSocket.listen("host.sock", in: home)
    let found = try #require(ActivatedSocket(descriptor: listener.rawValue))
    #expect(found.path.hasSuffix("/host.sock"))
    let caller = try UnixSocket.connect("host.sock", in: home)
    #expect(ActivatedSocket(descriptor: caller.rawValue) == nil, "connected")
    #expect(ActivatedSocket(descriptor: home.rawDescriptor) == nil, "a directory")
    #expect(ActivatedSocket(descriptor: 999_999) == nil, "not open")
  }
}
