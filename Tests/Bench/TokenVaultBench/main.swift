import CommandRuntime
import FileSupport
import FileWatching
import Glibc
import VaultReader
import VaultWatching

// Measures what goes on within a process, for Tests/Bench/run. TOKENVAULT_RUNTIME_DIR names the
// runtime directory.
//
//   TokenVaultBench prepare FRAMES COUNT   writes snapshots of rising generations to FRAMES/0, 1...
//   TokenVaultBench publish SAMPLES        times publications
//   TokenVaultBench read SAMPLES           times `accessToken`, unchanged and just changed
//   TokenVaultBench callback DIRECTORY     tells `rename` what a watch's callback hears
//   TokenVaultBench sequence               tells `rename` what the sequence of updates hears
//   TokenVaultBench monitor                tells `rename` what a `VaultMonitor` hears

func prepare(frames path: String, count: Int) throws {
  var publisher = try Publisher()
  let frames = try Directory.create(path: path, policy: .ownerOnly)
  for number in 0..<count {
    try publisher.publish()
    try frames.replaceFile(
      "\(number)", with: publisher.snapshot(), durability: .volatile, mode: 0o600)
  }
}

func publish(samples: Int) throws {
  var publisher = try Publisher()
  // The first one makes the directories and the key.
  try publisher.publish()
  for _ in 0..<samples {
    let start = Sample.now()
    try publisher.publish()
    try Sample.write("publish", Sample.now() - start)
  }
  try Sample.write("publish-length", Double(publisher.snapshot().count))
}

func read(samples: Int) throws {
  var publisher = try Publisher()
  let vault = TokenVault()
  let calls = 1000
  try publisher.publish()
  _ = try vault.accessToken()
  for _ in 0..<samples {
    try publisher.publish()
    var start = Sample.now()
    _ = try vault.accessToken()
    try Sample.write("changed", Sample.now() - start)
    start = Sample.now()
    for _ in 0..<calls { _ = try vault.accessToken() }
    try Sample.write("unchanged", (Sample.now() - start) / Double(calls))
  }
}

func hearCallback(in directory: String) throws -> Never {
  let token = try FileWatcher.watch(WatchRequest(file: "session", in: directory)) { _ in
    Sample.tell(Sample.now())
  }
  while true {
    pause()
    withExtendedLifetime(token) {}
  }
}

func hearSequence() async {
  // The main actor is reached over another thread, which is no cost of the sequence.
  await Task.detached {
    for await _ in TokenVault().updates(namespace: "primary") { Sample.tell(Sample.now()) }
  }.value
}

func hearMonitor() throws {
  let monitor = try VaultMonitor(TokenVault())
  while monitor.next() != nil { Sample.tell(Sample.now()) }
}

let words = Array(CommandLine.arguments.dropFirst())
do {
  switch (words.first, words.dropFirst().first, words.last.flatMap { Int($0) }) {
  case ("prepare", .some(let frames), .some(let count)): try prepare(frames: frames, count: count)
  case ("publish", _, .some(let samples)): try publish(samples: samples)
  case ("read", _, .some(let samples)): try read(samples: samples)
  case ("callback", .some(let directory), _): try hearCallback(in: directory)
  case ("sequence", _, _): await hearSequence()
  case ("monitor", _, _): try hearMonitor()
  default: throw BenchError("usage: see the first lines of main.swift")
  }
} catch {
  try? StandardStream.error.write("TokenVaultBench: \(error)\n")
  exit(1)
}
