#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

int clinux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static struct flock whole_file(void) {
  struct flock lock = {0};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

int clinux_ofd_lock(int descriptor) {
  struct flock lock = whole_file();
  return fcntl(descriptor, F_OFD_SETLK, &lock);
}

int clinux_ofd_is_held(int descriptor) {
  struct flock lock = whole_file();
  if (fcntl(descriptor, F_OFD_GETLK, &lock) == -1) return -1;
  return lock.l_type != F_UNLCK;
}

int clinux_peer_credentials(int descriptor, uint32_t *uid, uint32_t *gid, int32_t *pid) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == -1) return -1;
  *uid = peer.uid;
  *gid = peer.gid;
  *pid = peer.pid;
  return 0;
}

int clinux_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC); }

int clinux_set_dumpable(int dumpable) { return prctl(PR_SET_DUMPABLE, dumpable, 0, 0, 0); }

int clinux_set_parent_death_signal(int signal) { return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0); }

const char *clinux_errno_name(int number) { return strerrorname_np(number); }

const char *clinux_errno_text(int number) { return strerrordesc_np(number); }

int64_t clinux_file_system_magic(int descriptor) {
  struct statfs information;
  if (fstatfs(descriptor, &information) == -1) return -1;
  return (int64_t)information.f_type;
}

void clinux_limit_malloc_arenas(int arenas) { mallopt(M_ARENA_MAX, arenas); }

void clinux_trim_heap(void) { malloc_trim(0); }

int clinux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int clinux_signalfd(const int *signals, int count) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < count; i++) sigaddset(&set, signals[i]);
  const int failure = pthread_sigmask(SIG_BLOCK, &set, NULL);
  if (failure != 0) {
    errno = failure;
    return -1;
  }
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int clinux_signalfd_read(int descriptor) {
  struct signalfd_siginfo information;
  const ssize_t size = read(descriptor, &information, sizeof information);
  if (size == (ssize_t)sizeof information) return (int)information.ssi_signo;
  if (size >= 0 || errno == EAGAIN || errno == EINTR) return 0;
  return -1;
}

int clinux_close_on_exec_from(unsigned int first) {
  /* The kernel's number for CLOSE_RANGE_CLOEXEC: glibc 2.36 has the call, not every header it. */
  return (int)syscall(SYS_close_range, first, ~0U, 4U);
}

int clinux_pidfd_open(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

void clinux_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

void clinux_execute(const char *program, char *const words[], char *const environment[]) {
  execvpe(program, words, environment);
}

int clinux_memory_file(const char *name) { return memfd_create(name, 0); }
