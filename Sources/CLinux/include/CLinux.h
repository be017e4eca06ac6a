#ifndef TOKENVAULT_CLINUX_H
#define TOKENVAULT_CLINUX_H

/* What glibc offers only through variadic functions, macros or GNU extensions.
   No glibc header is included here, so that nothing of it leaks into the Swift importer. */

#include <stdint.h>

/* eventfd(2), close-on-exec and non-blocking. -1 and errno on failure. */
int clinux_eventfd(void);

/* timerfd_create(2) on the boot clock, close-on-exec and non-blocking. -1 and errno on failure. */
int clinux_timer(void);

/* Sets a timer to go off once, so many nanoseconds from now (timerfd_settime(2)). 0, or -1 and
   errno. */
int clinux_set_timer(int timer, uint64_t nanoseconds);

/* epoll_create1(2), close-on-exec. -1 and errno on failure. */
int clinux_epoll(void);

/* EPOLL_CTL_ADD of epoll_ctl(2), level-triggered. 0, or -1 and errno. */
int clinux_epoll_add(int epoll, int descriptor, uint32_t events);

/* EPOLL_CTL_DEL of epoll_ctl(2). 0, or -1 and errno. */
int clinux_epoll_remove(int epoll, int descriptor);

/* Takes an exclusive open-file-description lock on the whole file (F_OFD_SETLK). 0, or -1 and
   errno (EAGAIN: somebody holds it). */
int clinux_ofd_lock(int descriptor);

/* Releases the lock, whoever else has a copy of the descriptor. 0, or -1 and errno. */
int clinux_ofd_unlock(int descriptor);

/* Asks who would block an exclusive lock (F_OFD_GETLK) without taking one.
   1 held by another description, 0 free, -1 and errno on failure. */
int clinux_ofd_is_held(int descriptor);

/* memfd_create(2), close-on-exec. -1 and errno on failure. */
int clinux_memory_file(const char *name);

/* SO_PEERCRED of a connected UNIX socket. 0, or -1 and errno. */
int clinux_peer_credentials(int descriptor, uint32_t *uid, uint32_t *gid, int32_t *pid);

/* accept4(2) with SOCK_CLOEXEC. The new descriptor, or -1 and errno. */
int clinux_accept(int listener);

/* A routing socket (rtnetlink(7)) that hears of addresses and routes, close-on-exec and
   non-blocking. -1 and errno on failure. */
int clinux_route_socket(void);

/* Reads all that waits in it. 1: an address or a route was added, or more happened than fitted;
   0: nothing of the kind; -1 and errno. */
int clinux_route_gain(int descriptor);

/* prctl(PR_SET_DUMPABLE). 0, or -1 and errno. */
int clinux_set_dumpable(int dumpable);

/* The errno's symbolic name ("EACCES"), or NULL for an unknown number. Static storage. */
const char *clinux_errno_name(int number);

/* The errno's text ("Permission denied"), untranslated, or NULL. Static storage, thread-safe. */
const char *clinux_errno_text(int number);

/* fstatfs(2): the magic number of the file system that holds the descriptor, or -1 and errno. */
int64_t clinux_file_system_magic(int descriptor);

/* malloc_trim(3) and one arena for all threads (mallopt M_ARENA_MAX). */
void clinux_limit_malloc_arenas(int arenas);
void clinux_trim_heap(void);

/* pipe2(2), close-on-exec at both ends. 0, or -1 and errno. */
int clinux_pipe(int ends[2]);

/* Catches signals from now on: a handler writes each one's number, a byte, into a pipe, whichever
   thread it comes to. A hangup that was ignored before (nohup) stays ignored. Returns the end to
   read, close-on-exec and non-blocking; -1 and errno on failure. One pipe a process. */
int clinux_signal_pipe(const int *signals, int count);

/* Marks every descriptor from `first` on close-on-exec (close_range(2)). 0, or -1 and errno. */
int clinux_close_on_exec_from(unsigned int first);

/* pidfd_open(2), close-on-exec: readable once the process has ended. -1 and errno on failure. */
int clinux_pidfd_open(int process);

/* pidfd_send_signal(2). 0, or -1 and errno. */
int clinux_pidfd_send_signal(int descriptor, int signal);

/* Names the calling thread (PR_SET_NAME), cut after 15 bytes. */
void clinux_name_thread(const char *name);

/* execvpe(3): returns only on failure, with errno. */
void clinux_execute(const char *program, char *const words[], char *const environment[]);

/* Has Swift's concurrency runtime hand over every task job that is bound for its thread pool
   (swift_task_enqueueGlobal_hook). 0, or -1 where the runtime has no such hook. Once a process. */
int clinux_take_jobs(void (*enqueue)(void *job));

#endif
