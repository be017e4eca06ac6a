#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <malloc.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/vfs.h>
#include <unistd.h>

int clinux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int clinux_timer(void) { return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

int clinux_set_timer(int timer, uint64_t nanoseconds) {
  struct itimerspec time = {0};
  time.it_value.tv_sec = (time_t)(nanoseconds / 1000000000);
  time.it_value.tv_nsec = (long)(nanoseconds % 1000000000);
  return timerfd_settime(timer, 0, &time, NULL);
}

int clinux_epoll(void) { return epoll_create1(EPOLL_CLOEXEC); }

int clinux_epoll_add(int epoll, int descriptor, uint32_t events) {
  struct epoll_event event = {.events = events};
  return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

int clinux_epoll_remove(int epoll, int descriptor) {
  return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, NULL);
}

int clinux_route_socket(void) {
  int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
  if (descriptor == -1) return -1;
  struct sockaddr_nl address = {
      .nl_family = AF_NETLINK,
      .nl_groups =
          RTMGRP_IPV4_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_IFADDR | RTMGRP_IPV6_ROUTE};
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
  int cause = errno;
  close(descriptor);
  errno = cause;
  return -1;
}

int clinux_route_gain(int descriptor) {
  int gained = 0;
  for (;;) {
    _Alignas(struct nlmsghdr) char buffer[16384];
    struct sockaddr_nl sender = {0};
    socklen_t length = sizeof sender;
    ssize_t count = recvfrom(descriptor, buffer, sizeof buffer, 0, (struct sockaddr *)&sender,
                             &length);
    if (count == -1) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN) return gained;
      if (errno != ENOBUFS) return -1;
      /* The kernel had more to tell than there was room for. */
      gained = 1;
      continue;
    }
    /* Other processes may send here as well. */
    if (sender.nl_pid != 0) continue;
    unsigned int rest = (unsigned int)count;
    for (struct nlmsghdr *head = (struct nlmsghdr *)buffer; NLMSG_OK(head, rest);
         head = NLMSG_NEXT(head, rest))
      if (head->nlmsg_type == RTM_NEWADDR || head->nlmsg_type == RTM_NEWROUTE) gained = 1;
  }
}

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

int clinux_ofd_unlock(int descriptor) {
  struct flock lock = whole_file();
  lock.l_type = F_UNLCK;
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

static atomic_int signal_pipe_end = -1;

static void note_signal(int number) {
  const int before = errno;
  const unsigned char byte = (unsigned char)number;
  /* A full pipe holds more signals than anybody waits for. */
  if (write(atomic_load(&signal_pipe_end), &byte, 1) != 1) { }
  errno = before;
}

int clinux_signal_pipe(const int *signals, int count) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) == -1) return -1;
  const int former = atomic_exchange(&signal_pipe_end, ends[1]);
  if (former != -1) close(former);
  struct sigaction action = {0};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;
  sigfillset(&action.sa_mask);
  sigset_t caught;
  sigemptyset(&caught);
  for (int i = 0; i < count; i++) {
    struct sigaction found;
    if (sigaction(signals[i], NULL, &found) == -1) goto failed;
    if (signals[i] == SIGHUP && found.sa_handler == SIG_IGN) continue;
    if (sigaction(signals[i], &action, NULL) == -1) goto failed;
    sigaddset(&caught, signals[i]);
  }
  pthread_sigmask(SIG_UNBLOCK, &caught, NULL);
  return ends[0];
failed:
  close(ends[0]);
  return -1;
}

int clinux_close_on_exec_from(unsigned int first) {
  /* The kernel's number for CLOSE_RANGE_CLOEXEC: glibc 2.36 has the call, not every header it. */
  return (int)syscall(SYS_close_range, first, ~0U, 4U);
}

int clinux_pidfd_open(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int clinux_pidfd_send_signal(int descriptor, int signal) {
  return (int)syscall(SYS_pidfd_send_signal, descriptor, signal, NULL, 0);
}

void clinux_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

void clinux_execute(const char *program, char *const words[], char *const environment[]) {
  execvpe(program, words, environment);
}

int clinux_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

/* The runtime's own functions use Swift's calling convention. */
#define SWIFT __attribute__((swiftcall))
typedef SWIFT void original_enqueue(void *job);
extern SWIFT void (*swift_task_enqueueGlobal_hook)(void *job, original_enqueue *original)
    __attribute__((weak));

static void (*enqueue_job)(void *job);

static SWIFT void hand_over(void *job, original_enqueue *original) {
  (void)original;
  enqueue_job(job);
}

int clinux_take_jobs(void (*enqueue)(void *job)) {
  if (!&swift_task_enqueueGlobal_hook) return -1;
  enqueue_job = enqueue;
  swift_task_enqueueGlobal_hook = hand_over;
  return 0;
}
