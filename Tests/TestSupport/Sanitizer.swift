internal import Glibc

/// The sanitizer that the tests run under, as by `make test-sanitizers`.
///
/// It changes how long things take, how much memory they use, and how a crash ends: what measures one
/// of them is left out under it, and says so.
package enum Sanitizer {
  /// Its name, nil where there is none: its runtime is part of the program, or it is not.
  package static let name: String? = {
    for (name, function) in [("thread", "__tsan_init"), ("address", "__asan_init")] {
      // The null handle is RTLD_DEFAULT, which no import gives.
      if unsafe dlsym(nil, function) != nil { return name }
    }
    return nil
  }()

  /// Whether the tests run under one.
  package static var isPresent: Bool { name != nil }

  /// Whether a test may judge what a sanitizer changes; where it may not, that is printed.
  package static func permits(_ measure: String) -> Bool {
    guard let name else { return true }
    print("➜ not judged under the \(name) sanitizer: \(measure)")
    return false
  }
}
