import Glibc
import TestSupport
import Testing

/// Becomes a user whom the limit of threads holds, as root is not, and makes a directory of his.
func limitedHome() throws -> TemporaryDirectory {
  let home = try TemporaryDirectory()
  if getuid() == 0 {
    try #require(unsafe chown(home.path, 54_321, 54_321) == 0)
    try #require(setreuid(54_321, 54_321) == 0)
  }
  return home
}

/// Sets how many threads this user may have; nil lets `pthread_create(3)` fail with `EAGAIN`.
///
/// - Returns: the limit before.
func limitThreads(to limit: rlimit?) throws -> rlimit {
  let resource = __rlimit_resource_t(__RLIMIT_NPROC.rawValue)
  var before = rlimit()
  try #require(unsafe getrlimit(resource, &before) == 0)
  var limit = limit ?? rlimit(rlim_cur: 0, rlim_max: before.rlim_max)
  try #require(unsafe setrlimit(resource, &limit) == 0)
  return before
}
