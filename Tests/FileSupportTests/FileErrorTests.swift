import FileSupport
import Glibc
import Testing

@Suite struct FileErrorTests {
  @Test(arguments: [
    (ENOENT, "No such file or directory (ENOENT)", "ENOENT"),
    (EACCES, "Permission denied (EACCES)", "EACCES"),
    (EAGAIN, "Resource temporarily unavailable (EAGAIN)", "EAGAIN"),
    (ENOSPC, "No space left on device (ENOSPC)", "ENOSPC"),
    (99_999, "errno 99999", "errno 99999"),
  ])
  func errorNumbersHaveTheirTextAndName(_ number: Int32, text: String, name: String) {
    #expect(Errno(rawValue: number).description == text)
    #expect(Errno(rawValue: number).name == name)
  }

  @Test(
    arguments: [
      (
        FileError.system(call: "open", path: "/x", Errno(rawValue: ENOENT)),
        "/x: open: No such file or directory (ENOENT)"
      ),
      (
        .insecure(path: "/x", .owner(12, expected: 1000)),
        "/x: belongs to user 12 instead of 1000; if it is yours, run: sudo chown 1000 '/x';"
          + " else use another directory"
      ),
      (
        .insecure(path: "/x", .mode(0o644, allowed: 0o600)),
        "/x: mode 0644 lets others in; run: chmod 0600 '/x'"
      ),
      (
        .insecure(path: "/x", .mode(0o4701, allowed: 0o700)),
        "/x: mode 4701 lets others in; run: chmod 0700 '/x'"
      ),
      (
        .insecure(path: "/x", .kind(expected: "a regular file")),
        "/x: not a regular file; move it away, or name another path"
      ),
      (.insecure(path: "/x", .linked), "/x: has a second name (hard link); remove it"),
      (
        .insecure(path: "/a/x", .parentWritableByAll("/a")),
        "/a/x: anybody can replace it, because /a is writable by all; run: chmod o-w '/a'"
      ),
      (
        .insecure(path: "/a/x", .parentOwner("/a", owner: 12)),
        "/a/x: user 12 can replace it, because /a belongs to that user; use another directory"
      ),
      (
        .insecure(path: "/x", .group(0, expected: 99_998)),
        "/x: belongs to Unix group 0 instead of 99998; run: chgrp 99998 '/x'"
      ),
      (
        .notForThisUser(path: "/x", owner: 12, group: nil),
        "/x: for user 12 alone; have unixGroup name a Unix group for it in the configuration of the"
          + " system's host"
      ),
      (
        .notForThisUser(path: "/x", owner: 12, group: 99_998),
        "/x: for members of the Unix group 99998 alone; to become one, run: sudo usermod -a -G 99998"
          + " \"$(id -un)\", and log in again"
      ),
      (
        .notForThisUser(path: "/x", owner: 12, group: 0),
        "/x: for members of the Unix group root alone; to become one, run: sudo usermod -a -G root"
          + " \"$(id -un)\", and log in again"
      ),
      (.tooLarge(path: "/x", limit: 10), "/x: longer than 10 bytes"),
      (.locked(path: "/x"), "/x: in use by another process"),
      (
        .noDirectory(purpose: "runtime", reasons: ["a", "b"]),
        "no runtime directory can be used: a; b"
      ),
    ] as [(FileError, String)])
  func errorsNameTheThingAndTheMend(_ error: FileError, text: String) {
    #expect(error.description == text)
  }

  @Test func theErrorNumberIsThatOfTheCall() {
    #expect(
      FileError.system(call: "x", path: "/x", Errno(rawValue: EPERM)).errno?.rawValue == EPERM)
    #expect(FileError.locked(path: "/x").errno == nil)
  }

  @Test func anInterruptedCallIsRepeated() throws {
    var calls = 0
    let result = try retryingInterrupted { () -> Int in
      calls += 1
      errno = EINTR
      return calls < 3 ? -1 : 7
    }
    #expect(result == 7)
    #expect(calls == 3)
    #expect(throws: Errno(rawValue: EIO)) {
      try retryingInterrupted { () -> Int in
        errno = EIO
        return -1
      }
    }
  }

  @Test(
    arguments: [
      (.insecure(path: "/x", .linked), .denied),
      (.system(call: "open", path: "/x", Errno(rawValue: EACCES)), .denied),
      (.system(call: "open", path: "/x", Errno(rawValue: EPERM)), .denied),
      (.system(call: "open", path: "/x", Errno(rawValue: EIO)), .failed(Errno(rawValue: EIO))),
      (.tooLarge(path: "/x", limit: 1), .damaged),
      (.locked(path: "/x"), .failed(Errno(rawValue: EAGAIN))),
      (.noDirectory(purpose: "runtime", reasons: []), .failed(Errno(rawValue: ENOENT))),
    ] as [(FileError, FileError.Nature)])
  func itsNatureIsOneOfThree(error: FileError, nature: FileError.Nature) {
    #expect(error.nature == nature)
  }
}
