/* libFuzzer as a library: the linker takes it in where -sanitize=fuzzer is given, no header does. */
#ifndef TOKENVAULT_CFUZZER_H
#define TOKENVAULT_CFUZZER_H

#include <stddef.h>
#include <stdint.h>

/* Runs the callback with inputs until the options in the arguments say that it is enough. */
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *, size_t));

#endif
