import CLinux
import Glibc

/// A list of C strings with a null pointer at its end, as `execve(2)` takes it.
@safe
package struct CStringList: ~Copyable {
  /// The strings; valid as long as the list.
  @unsafe package let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  /// Copies strings; what follows a zero byte in one of them is lost, as C has it.
  package init(_ strings: [String]) {
    count = strings.count
    unsafe pointers = .allocate(capacity: count + 1)
    for (index, string) in strings.enumerated() {
      unsafe (pointers + index).initialize(to: strdup(string))
    }
    unsafe (pointers + count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { unsafe free(pointers[index]) }
    unsafe pointers.deallocate()
  }
}

/// Turns the process into another program, found in `PATH` where it has no slash (`execvpe(3)`).
///
/// - Parameters:
///   - command: the program and its arguments.
///   - environment: its environment.
/// - Returns: why it could not be done; else the caller is gone.
package func executeProgram(_ command: [String], environment: Environment) -> Errno {
  guard let program = command.first else { return Errno(rawValue: ENOENT) }
  let words = CStringList(command)
  let entries = CStringList(environment.entries)
  unsafe clinux_execute(program, words.pointers, entries.pointers)
  return .current
}
