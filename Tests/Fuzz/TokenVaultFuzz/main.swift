// Fuzzes the target that FUZZ_TARGET names, with libFuzzer's options and corpora as arguments. Built by
// `make fuzz`; built in any other way it has no fuzzer in it.
import FuzzTargets
import Glibc
import TestSupport

#if FUZZING
  import CFuzzer
#endif

// Not an argument: to merge corpora libFuzzer starts the program anew with its own arguments.
guard let target = Environment.value("FUZZ_TARGET").flatMap(FuzzTarget.init(rawValue:)) else {
  let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: " | ")
  print("usage: FUZZ_TARGET='\(names)' TokenVaultFuzz [libFuzzer's options] [CORPUS...]")
  exit(64)
}

#if FUZZING
  FuzzRun.begin(target)
  var count = CommandLine.argc
  var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
    unsafe CommandLine.unsafeArgv
  exit(
    unsafe LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
      FuzzRun.digest(unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
      return 0
    })
#else
  print("\(target): built without a fuzzer; run: make fuzz")
  exit(69)
#endif
