// read-loop SAMPLES: the floors of reading in a process that runs already.
//
// `changed-floor`: reading the snapshot anew by the C reader. `unchanged-floor`: one fstat(2) of a
// file that is open already, the mean of a thousand.
#define _GNU_SOURCE
#include "bench.h"
#include "snapshot.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { calls = 1000 };

int main(int count, char **words) {
  const char *runtime = getenv("TOKENVAULT_RUNTIME_DIR"), *failure;
  if (count != 2 || !runtime) return 64;
  char path[4096];
  snprintf(path, sizeof path, "%s/groups/default/ns/primary/session", runtime);
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor == -1) die(path);
  for (int i = 0; i < atoi(words[1]); i++) {
    double start = now();
    char *token = read_access_token(runtime, &failure);
    double end = now();
    if (!token) {
      fprintf(stderr, "read-loop: %s\n", failure);
      return 1;
    }
    free(token);
    sample("changed-floor", end - start);
    struct stat status;
    start = now();
    for (int j = 0; j < calls; j++)
      if (fstat(descriptor, &status) == -1) die("fstat");
    sample("unchanged-floor", (now() - start) / calls);
  }
  return 0;
}
