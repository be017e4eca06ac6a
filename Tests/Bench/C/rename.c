// rename SERIES SAMPLES READERS PAUSE DIRECTORY FRAMES READER...: from a rename to its being heard.
//
// Starts READER so many times; each writes the time of each event that it hears to standard output
// (see hear.c). Then renames the files FRAMES/1, FRAMES/2 ... over DIRECTORY/session, about PAUSE
// microseconds apart. Writes the time from just before rename(2) to each reader's event. Where
// TOKENVAULT_RUNTIME_DIR is set it holds the host's lock meanwhile, as whoever publishes does: without
// it a reader looks for a host at each event.
#define _GNU_SOURCE
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { frame_limit = 262144, patience = 5000, most = 1000 };
static pid_t readers[most];
static struct pollfd ends[most];
static int reader_count;

static void give_up(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  exit(1);
}

static void end_readers(void) {
  for (int i = 0; i < reader_count; i++) kill(readers[i], SIGTERM);
  for (int i = 0; i < reader_count; i++) waitpid(readers[i], NULL, 0);
}

static void copy(const char *from, const char *to) {
  static char bytes[frame_limit];
  int source = open(from, O_RDONLY | O_CLOEXEC);
  ssize_t length = read(source, bytes, sizeof bytes);
  if (length <= 0) die(from);
  close(source);
  int target = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (target == -1 || write(target, bytes, length) != length) die(to);
  close(target);
}

static void hold_lock(void) {
  char path[4096];
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (!getenv("TOKENVAULT_RUNTIME_DIR")) return;
  snprintf(path, sizeof path, "%s/host.lock", getenv("TOKENVAULT_RUNTIME_DIR"));
  int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  // Where a host runs it is the one that holds it.
  if (lock == -1 || (fcntl(lock, F_OFD_SETLK, &whole) == -1 && errno != EAGAIN)) die(path);
}

static void start(char **command) {
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) == -1) die("pipe2");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
  if (posix_spawnp(&readers[reader_count], command[0], &actions, NULL, command, environ))
    die(command[0]);
  close(pipe_ends[1]);
  ends[reader_count++] = (struct pollfd){.fd = pipe_ends[0], .events = POLLIN};
}

// Waits until each reader has told of an event since a moment, skips what they say of earlier ones,
// and writes how long each took.
static void hear_all(const char *series, double since, int event) {
  static char has_heard[most];
  memset(has_heard, 0, sizeof has_heard);
  for (int left = reader_count; left > 0;) {
    if (poll(ends, reader_count, patience) <= 0)
      give_up("rename: %d of %d did not hear event %d\n", left, reader_count, event);
    for (int i = 0; i < reader_count; i++) {
      double time;
      if (!ends[i].revents) continue;
      if (read(ends[i].fd, &time, sizeof time) != sizeof time) give_up("rename: a reader ended\n");
      if (has_heard[i] || time < since) continue;
      has_heard[i] = 1;
      left--;
      if (series) sample(series, time - since);
    }
  }
}

int main(int count, char **words) {
  if (count < 8 || atoi(words[3]) > most) return 64;
  char frame[4096], temporary[4096], session[4096];
  snprintf(temporary, sizeof temporary, "%s/.new", words[5]);
  snprintf(session, sizeof session, "%s/session", words[5]);
  snprintf(frame, sizeof frame, "%s/0", words[6]);
  copy(frame, session);
  hold_lock();
  atexit(end_readers);
  for (int i = 0; i < atoi(words[3]); i++) start(words + 7);
  hear_all(NULL, 0, 0);
  usleep(50000);
  // Who collects what many tell must not take the processor from those that are still to hear: what
  // they tell stays in their pipes, with its time, until all have had a part of the pause.
  int pause = atoi(words[4]), rest = reader_count > 1 ? pause / 4 : 0;
  for (int i = 1; i <= atoi(words[2]); i++) {
    snprintf(frame, sizeof frame, "%s/%d", words[6], i);
    copy(frame, temporary);
    usleep(pause - rest + random() % 500);
    double before = now();
    if (rename(temporary, session) == -1) die(session);
    usleep(rest);
    hear_all(words[1], before, i);
  }
  return 0;
}
