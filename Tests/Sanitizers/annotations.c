// What the sanitizers are told, linked into every program that is built with one.
//
// A contended Synchronization.Mutex works out of the thread sanitizer's sight, in
// libswiftSynchronization, which is not instrumented, and in the kernel (futex(2), FUTEX_LOCK_PI):
// without the annotations everything that a mutex guards is reported as a race as soon as two
// threads meet. The program's own definitions come before the library's, which they call.
//
// Reports of the programs that the tests start go to files, REPORTS.PID: their standard error may go
// nowhere, and their environment is the tests'. Leaks are not looked for at a program's end, which
// does not work under strace(1); the memory cases measure what grows.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

// _MutexHandle._lockSlow(_:), ._tryLockSlow() and ._unlockSlow()
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

SWIFT void lock_slow(uint32_t thread, SELF mutex) __asm__(LOCK);
SWIFT bool try_lock_slow(SELF mutex) __asm__(TRY_LOCK);
SWIFT void unlock_slow(SELF mutex) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF mutex) {
  SWIFT void (*lock)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK);
  lock(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT bool try_lock_slow(SELF mutex) {
  SWIFT bool (*try_lock)(SELF) = dlsym(RTLD_NEXT, TRY_LOCK);
  bool is_locked = try_lock(mutex);
  if (is_locked && __tsan_acquire) __tsan_acquire(mutex);
  return is_locked;
}

SWIFT void unlock_slow(SELF mutex) {
  SWIFT void (*unlock)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
  if (__tsan_release) __tsan_release(mutex);
  unlock(mutex);
}

const char *__tsan_default_options(void);
const char *__asan_default_options(void);

// Whether this is a program that a test started. Called before the C library is ready.
static bool is_started(void) {
  char path[4096] = "";
  syscall(SYS_readlink, "/proc/self/exe", path, sizeof path - 1);
  return !strstr(path, ".xctest");
}

const char *__tsan_default_options(void) { return is_started() ? "log_path=" REPORTS : ""; }
const char *__asan_default_options(void) {
  return is_started() ? "detect_leaks=0:log_path=" REPORTS : "detect_leaks=0";
}
