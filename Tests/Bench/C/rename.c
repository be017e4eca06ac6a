// rename SERIES SAMPLES DIRECTORY FRAMES READER...: from a rename to its being heard elsewhere.
//
// Starts READER, which writes the time of each event that it hears to standard output (see hear.c),
// then renames the files FRAMES/1, FRAMES/2 ... over DIRECTORY/session, about two milliseconds
// apart. Writes the time from just before rename(2) to each event.
#define _GNU_SOURCE
#include "bench.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { frame_limit = 262144, patience = 5000 };
static pid_t reader;

static void give_up(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  kill(reader, SIGKILL);
  exit(1);
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

// Waits for what the reader says, and skips what it says of earlier events.
static double heard(int descriptor, double since, int event) {
  double time;
  do {
    struct pollfd waiting = {.fd = descriptor, .events = POLLIN};
    if (poll(&waiting, 1, patience) <= 0) give_up("rename: event %d was not heard\n", event);
    if (read(descriptor, &time, sizeof time) != sizeof time) give_up("rename: the reader ended\n");
  } while (time < since);
  return time;
}

static int start(char **command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) == -1) die("pipe2");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  if (posix_spawnp(&reader, command[0], &actions, NULL, command, environ)) die(command[0]);
  close(ends[1]);
  return ends[0];
}

int main(int count, char **words) {
  if (count < 6) return 64;
  char frame[4096], temporary[4096], session[4096];
  snprintf(temporary, sizeof temporary, "%s/.new", words[3]);
  snprintf(session, sizeof session, "%s/session", words[3]);
  snprintf(frame, sizeof frame, "%s/0", words[4]);
  copy(frame, session);
  int descriptor = start(words + 5);
  heard(descriptor, 0, 0);
  usleep(50000);
  for (int i = 1; i <= atoi(words[2]); i++) {
    snprintf(frame, sizeof frame, "%s/%d", words[4], i);
    copy(frame, temporary);
    usleep(2000 + random() % 500);
    double before = now();
    if (rename(temporary, session) == -1) die(session);
    sample(words[1], heard(descriptor, before, i) - before);
  }
  kill(reader, SIGTERM);
  waitpid(reader, NULL, 0);
  return 0;
}
