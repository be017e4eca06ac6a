// replace SERIES SAMPLES DIRECTORY LENGTH: the floor of a publication.
//
// Writes LENGTH bytes to a new file in DIRECTORY and renames it over the old one.
#define _GNU_SOURCE
#include "bench.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **words) {
  if (count != 5) return 64;
  size_t length = strtoul(words[4], NULL, 10);
  char *bytes = malloc(length);
  int directory = open(words[3], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory == -1 || !bytes) die(words[3]);
  memset(bytes, 'x', length);
  for (int i = 0; i < atoi(words[2]); i++) {
    double start = now();
    int file = openat(directory, ".new", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file == -1) die("openat");
    if (write(file, bytes, length) != (ssize_t)length) die("write");
    close(file);
    if (renameat(directory, ".new", directory, "replaced") == -1) die("renameat");
    sample(words[1], now() - start);
  }
  return 0;
}
