// What the benchmarks' programs in C share: the clock, the end, samples on standard output.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// Microseconds of CLOCK_MONOTONIC.
static inline double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

// Ends the program with what failed and errno's text.
static inline void die(const char *what) {
  perror(what);
  exit(1);
}

// Writes one sample: the name of its series and its value.
static inline void sample(const char *series, double value) { printf("%s %.3f\n", series, value); }
