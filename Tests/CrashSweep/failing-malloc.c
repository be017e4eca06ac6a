/* Preloaded: the call of sodium_malloc(3) whose number is $FAIL_AT fails; $CALLS gets their number. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_uint calls;

void *sodium_malloc(size_t count) {
  static void *(*real)(size_t);
  if (!real) real = (void *(*)(size_t))dlsym(RTLD_NEXT, "sodium_malloc");
  const char *number = getenv("FAIL_AT");
  if (atomic_fetch_add(&calls, 1) + 1 == (number ? (unsigned)atoi(number) : 0)) {
    errno = ENOMEM;
    return NULL;
  }
  return real(count);
}

__attribute__((destructor)) static void report(void) {
  const char *path = getenv("CALLS");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%u\n", calls);
  fclose(file);
}
