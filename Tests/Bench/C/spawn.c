// spawn SERIES SAMPLES TOGETHER COMMAND...: how long a program takes as a whole process.
//
// Starts TOGETHER copies of COMMAND at once with posix_spawn(3), their output thrown away, and
// waits for all of them; writes the time from the first start to the last end, SAMPLES times.
#define _GNU_SOURCE
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { most_together = 64 };

// Waits for one child; returns whether it did what it should.
static int ended_well(pid_t child) {
  int status;
  while (waitpid(child, &status, 0) == -1)
    if (errno != EINTR) die("waitpid");
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int count, char **words) {
  if (count < 5) {
    fprintf(stderr, "usage: spawn SERIES SAMPLES TOGETHER COMMAND...\n");
    return 64;
  }
  int samples = atoi(words[2]), together = atoi(words[3]), failures = 0;
  if (together < 1 || together > most_together) return 64;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  for (int i = 0; i < samples; i++) {
    pid_t children[most_together];
    double start = now();
    for (int j = 0; j < together; j++) {
      errno = posix_spawnp(&children[j], words[4], &actions, NULL, words + 4, environ);
      if (errno) die(words[4]);
    }
    int well = 0;
    for (int j = 0; j < together; j++) well += ended_well(children[j]);
    double end = now();
    if (well == together) sample(words[1], end - start);
    failures += together - well;
  }
  if (failures) fprintf(stderr, "spawn: %s failed %d times\n", words[4], failures);
  return failures != 0;
}
