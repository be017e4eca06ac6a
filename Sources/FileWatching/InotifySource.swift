#if KernelInotify
  /// Where events come from: the kernel, without a library in between.
  typealias InotifySource = KernelInotify
#else
  /// Where events come from: libinotifytools, or nowhere in a program that is built without it.
  typealias InotifySource = InotifyTools
#endif
