/* Preloaded: write(2) to a regular file takes one byte, and every second call is interrupted. */
#include <errno.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t write(int descriptor, const void *bytes, size_t count) {
  static atomic_uint calls;
  struct stat status;
  if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && count > 0) {
    if (atomic_fetch_add(&calls, 1) % 2 == 1) {
      errno = EINTR;
      return -1;
    }
    count = 1;
  }
  return syscall(SYS_write, descriptor, bytes, count);
}
