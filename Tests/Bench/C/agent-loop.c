// agent-loop SERIES SAMPLES ACCOUNT: getAccessToken() of liboidc-agent in a process that runs.
#include "bench.h"

#include <oidc-agent/api.h>

int main(int count, char **words) {
  if (count != 4) return 64;
  for (int i = 0; i < atoi(words[2]); i++) {
    double start = now();
    char *token = getAccessToken(words[3], 0, NULL);
    double end = now();
    if (!token) {
      fprintf(stderr, "agent-loop: %s\n", oidcagent_serror());
      return 1;
    }
    secFree(token);
    sample(words[1], end - start);
  }
  return 0;
}
