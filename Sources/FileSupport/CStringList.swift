import CLinux
import Glibc

/// A list of C strings with a null pointer at its end, as `execve(2)` takes it.
@safe
package struct CStringList: ~Copyable {
  /// The strings; valid as long as the list.
  @unsafe package let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  /// Copies strings byte for byte; what follows a zero byte in one of them is lost, as C has it.
  package init(_ strings: [[UInt8]]) {
    count = strings.count
    unsafe pointers = .allocate(capacity: count + 1)
    for (index, string) in strings.enumerated() {
      let terminated = string.map { CChar(bitPattern: $0) } + [0]
      unsafe (pointers + index).initialize(to: strdup(terminated))
    }
    unsafe (pointers + count).initialize(to: nil)
  }

  /// Copies texts.
  package init(_ texts: [String]) {
    self.init(texts.map { Array($0.utf8) })
  }

  deinit {
    for index in 0..<count { unsafe free(pointers[index]) }
    unsafe pointers.deallocate()
  }
}

/// Turns the process into another program, found in `PATH` where it has no slash (`execvpe(3)`).
///
/// - Parameters:
///   - command: the program and its arguments, byte for byte.
///   - environment: its environment.
/// - Returns: why it could not be done; else the caller is gone.
package func executeProgram(_ command: [[UInt8]], environment: Environment) -> Errno {
  let words = CStringList(command)
  let entries = CStringList(environment.entries)
  guard let program = unsafe words.pointers[0] else { return Errno(rawValue: ENOENT) }
  unsafe clinux_execute(program, words.pointers, entries.pointers)
  return .current
}

/// The last words of the process's command line, byte for byte: as text they may not be what they
/// were.
///
/// - Parameter count: how many.
/// - Returns: the words, in their order.
package func lastArguments(_ count: Int) -> [[UInt8]] {
  let all = Int(CommandLine.argc)
  return (max(0, all - count)..<all).compactMap { index in
    guard let word = unsafe CommandLine.unsafeArgv[index] else { return nil }
    return unsafe Array(UnsafeRawBufferPointer(start: word, count: strlen(word)))
  }
}
