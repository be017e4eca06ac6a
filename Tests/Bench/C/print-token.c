// print-token: the floor of `tokenvault token`. A static program in C that does what has to be done
// and nothing else: it opens, reads and decrypts the snapshot and prints the access token.
#include "snapshot.h"

#include <stdio.h>
#include <stdlib.h>

int main(void) {
  const char *runtime = getenv("TOKENVAULT_RUNTIME_DIR"), *failure = "no TOKENVAULT_RUNTIME_DIR";
  char *token = runtime ? read_access_token(runtime, &failure) : NULL;
  if (!token) {
    fprintf(stderr, "print-token: %s\n", failure);
    return 1;
  }
  puts(token);
  free(token);
  return 0;
}
