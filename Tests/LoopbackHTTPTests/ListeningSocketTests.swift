import Glibc
import LoopbackHTTP
import Testing

@Suite struct ListeningSocketTests {
  @Test func na02WithoutIPv4TheSixthVersionIsUsed() throws {
    var tried: [LoopbackAddress] = []
    let socket = try ListeningSocket.open(candidates: [.ipv4, .ipv6], port: 0) {
      address, port throws(LoopbackServerError) in
      tried.append(address)
      guard address == .ipv6 else {
        throw .system(call: "bind", errno: EADDRNOTAVAIL, origin: address.origin(port: port))
      }
      return try ListeningSocket.listen(on: address, port: port)
    }
    defer { close(socket.descriptor) }
    #expect(tried == [.ipv4, .ipv6])
    #expect(socket.address == .ipv6)
    #expect(socket.port != 0)
  }

  @Test func na02TheFirstFailureIsTheOneReported() {
    let error = #expect(throws: LoopbackServerError.self) {
      _ = try ListeningSocket.open(candidates: [.ipv4, .ipv6], port: 7) {
        address, port throws(LoopbackServerError) in
        throw .system(call: "bind", errno: EACCES, origin: address.origin(port: port))
      }
    }
    #expect(
      error?.description == "cannot listen on http://127.0.0.1:7: bind: Permission denied")
  }

  @Test func na01TheSocketListensOnTheLoopbackAddressAlone() throws {
    let socket = try ListeningSocket.listen(on: .ipv4, port: 0)
    defer { close(socket.descriptor) }
    var name = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafeMutablePointer(to: &name) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(socket.descriptor, $0, &length)
      }
    }
    #expect(result == 0)
    #expect(UInt32(bigEndian: name.sin_addr.s_addr) == 0x7F00_0001)
    #expect(fcntl(socket.descriptor, F_GETFD) & FD_CLOEXEC != 0)
  }
}
