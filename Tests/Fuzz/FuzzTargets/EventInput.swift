import FileWatching

/// The input is what `read(2)` gives of an inotify descriptor.
enum EventInput {
  static func digest(_ input: [UInt8]) throws(FuzzFinding) {
    var walker = InotifyEventWalker()
    walker.take(input)
    var (count, length) = (0, 0)
    while walker.next() {
      count += 1
      length += walker.name.count
      try demand(!walker.name.contains(0), "a name has no NUL byte")
      try demand(count * 16 + length <= input.count, "no more is told than there was")
    }
    try demand(!walker.next(), "the end is the end")
  }
}
