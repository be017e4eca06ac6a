// hear raw|tool DIRECTORY: hears of renames into DIRECTORY, for `rename`.
//
// raw: the floor, a blocking read(2) of an inotify descriptor. tool: the same through a pipe from
// inotifywait(1). Writes the time of each event, a double in microseconds of CLOCK_MONOTONIC, to
// standard output; once before the first, as the sign that it listens.
#define _GNU_SOURCE
#include "bench.h"

#include <signal.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <unistd.h>

static void tell(double time) {
  if (write(STDOUT_FILENO, &time, sizeof time) != sizeof time) die("write");
}

static int listen_raw(const char *directory) {
  int descriptor = inotify_init1(IN_CLOEXEC);
  if (descriptor == -1 || inotify_add_watch(descriptor, directory, IN_MOVED_TO) == -1)
    die(directory);
  return descriptor;
}

// Returns the end of a pipe on which inotifywait says when it listens and then each event.
static int listen_through_tool(const char *directory) {
  int ends[2];
  if (pipe(ends) == -1) die("pipe");
  pid_t parent = getpid(), child = fork();
  if (child == -1) die("fork");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(1);
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    execlp("inotifywait", "inotifywait", "-m", "-e", "moved_to", "--format", "%f", directory, NULL);
    _exit(127);
  }
  close(ends[1]);
  // "Setting up watches." and "Watches established.", in one piece or two.
  char text[4096];
  for (size_t length = 0; length < sizeof text - 1;) {
    ssize_t count = read(ends[0], text + length, sizeof text - 1 - length);
    if (count <= 0) break;
    length += count;
    text[length] = 0;
    if (strstr(text, "established")) return ends[0];
  }
  fprintf(stderr, "hear: inotifywait does not start\n");
  exit(1);
}

int main(int count, char **words) {
  if (count != 3) return 64;
  int is_raw = !strcmp(words[1], "raw");
  int descriptor = is_raw ? listen_raw(words[2]) : listen_through_tool(words[2]);
  char events[65536] __attribute__((aligned(8)));
  tell(now());
  while (read(descriptor, events, sizeof events) > 0) tell(now());
  return 0;
}
