/*
 * What the tests have of libtokenvault: every function of tokenvault.h, from C17 and from C++17.
 *
 *   reader token NAMESPACE MILLISECONDS    reader state NAMESPACE    reader watch NAMESPACE COUNT
 *   reader misuse                          reader threads NAMESPACE
 */
#include <assert.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tokenvault.h"

static const char *shown(const char *text) { return text != NULL ? text : "-"; }

static tokenvault *opened(void) {
  tokenvault *vault;
  if (tokenvault_open(NULL, &vault) != TOKENVAULT_OK) exit(70);
  return vault;
}

static void show(tokenvault_state *state) {
  printf("session %d %s\n", tokenvault_state_session(state), tokenvault_state_session_word(state));
  printf("host %d %s\n", tokenvault_state_host(state), tokenvault_state_host_word(state));
  printf("change %d\n", tokenvault_state_change(state));
  printf("generation %" PRIu64 "\n", tokenvault_state_generation(state));
  printf("published-at %" PRId64 "\n", tokenvault_state_published_at(state));
  printf("next-publication-by %" PRId64 "\n", tokenvault_state_next_publication_by(state));
  printf("expires-at %" PRId64 "\n", tokenvault_state_expires_at(state));
  printf("expires-in %" PRId64 "\n", tokenvault_state_expires_in(state));
  printf("issuer %s\n", shown(tokenvault_state_issuer(state)));
  printf("account %s\n", shown(tokenvault_state_account(state)));
  printf("reason %s\n", shown(tokenvault_state_reason(state)));
  printf("next-step %s\n", shown(tokenvault_state_next_step(state)));
  fflush(stdout);
  tokenvault_state_free(state);
}

static int read_token(const char *name, int64_t valid_for) {
  tokenvault *vault = opened();
  char *token, *message;
  int status = tokenvault_token(vault, name, valid_for, &token, &message);
  printf("%d %s\n%s\n%s\n", status, tokenvault_strerror(status), shown(token), shown(message));
  tokenvault_free(token);
  tokenvault_free(message);
  tokenvault_close(vault);
  return 0;
}

static int read_state(const char *name) {
  tokenvault *vault = opened();
  tokenvault_state *state;
  int status = tokenvault_state_read(vault, name, &state);
  if (status == TOKENVAULT_OK) show(state);
  else printf("%d\n", status);
  tokenvault_close(vault);
  return 0;
}

/* An event loop as any widget has one. */
static int watch(const char *name, int count) {
  tokenvault *vault = opened();
  tokenvault_monitor *monitor;
  if (tokenvault_monitor_open(vault, name, &monitor) != TOKENVAULT_OK) return 71;
  tokenvault_close(vault);
  struct pollfd polled = {tokenvault_monitor_descriptor(monitor), POLLIN, 0};
  for (;;) {
    tokenvault_state *state;
    while (count > 0 && tokenvault_monitor_next(monitor, 0, &state) == TOKENVAULT_OK) {
      show(state);
      count--;
    }
    if (count == 0) break;
    if (poll(&polled, 1, 30000) <= 0) return 75;
  }
  /* Two links and one for each thread: the program's own is all there is. */
  struct stat tasks;
  if (stat("/proc/self/task", &tasks) != 0 || tasks.st_nlink != 3) return 76;
  tokenvault_monitor_close(monitor);
  return 0;
}

#define INVALID(call) assert((call) == TOKENVAULT_INVALID_ARGUMENT)

static int misuse(void) {
  tokenvault *vault = opened(), *none = vault;
  char *token = (char *)"", *message = NULL;
  tokenvault_state *state;
  tokenvault_monitor *monitor;
  INVALID(tokenvault_open(NULL, NULL));
  INVALID(tokenvault_open("no/group", &none));
  assert(none == NULL);
  INVALID(tokenvault_open("\xff", &none));
  INVALID(tokenvault_token(NULL, NULL, 0, &token, &message));
  assert(token == NULL && message != NULL);
  tokenvault_free(message);
  INVALID(tokenvault_token(vault, NULL, 0, NULL, NULL));
  INVALID(tokenvault_token(vault, "no namespace", 0, &token, NULL));
  INVALID(tokenvault_token(vault, NULL, -2, &token, NULL));
  INVALID(tokenvault_state_read(NULL, NULL, &state));
  INVALID(tokenvault_state_read(vault, NULL, NULL));
  INVALID(tokenvault_state_read(vault, "", &state));
  assert(state == NULL);
  INVALID(tokenvault_monitor_open(vault, "\xff", &monitor));
  INVALID(tokenvault_monitor_open(NULL, NULL, &monitor));
  assert(monitor == NULL);
  INVALID(tokenvault_monitor_open(vault, NULL, NULL));
  INVALID(tokenvault_monitor_next(NULL, 0, &state));
  assert(tokenvault_monitor_open(vault, NULL, &monitor) == TOKENVAULT_OK);
  INVALID(tokenvault_monitor_next(monitor, 0, NULL));
  tokenvault_monitor_close(monitor);
  assert(tokenvault_monitor_descriptor(NULL) == -1);
  assert(tokenvault_state_session(NULL) == TOKENVAULT_SESSION_ABSENT);
  assert(tokenvault_state_session_word(NULL) == NULL);
  assert(tokenvault_state_expires_in(NULL) == TOKENVAULT_UNKNOWN);
  for (int status = -1; status <= TOKENVAULT_TIMEOUT + 1; status++)
    assert(strlen(tokenvault_strerror(status)) > 5);
  tokenvault_free(NULL);
  tokenvault_state_free(NULL);
  tokenvault_monitor_close(NULL);
  tokenvault_close(NULL);
  tokenvault_close(vault);
  return 0;
}

struct shared {
  tokenvault *vault;
  const char *name;
};

static void *read_often(void *argument) {
  struct shared *shared = (struct shared *)argument;
  for (int round = 0; round < 500; round++) {
    char *token;
    if (tokenvault_token(shared->vault, shared->name, 0, &token, NULL) != TOKENVAULT_OK) exit(1);
    if (strcmp(token, "access-token-sentinel") != 0) exit(2);
    tokenvault_free(token);
    tokenvault_state *state;
    if (tokenvault_state_read(shared->vault, shared->name, &state) != TOKENVAULT_OK) exit(3);
    tokenvault_state_free(state);
  }
  return NULL;
}

static int read_in_threads(const char *name) {
  struct shared shared = {opened(), name};
  pthread_t threads[8];
  for (int i = 0; i < 8; i++) assert(pthread_create(&threads[i], NULL, read_often, &shared) == 0);
  for (int i = 0; i < 8; i++) assert(pthread_join(threads[i], NULL) == 0);
  tokenvault_close(shared.vault);
  return 0;
}

int main(int count, char **words) {
  if (count == 4 && strcmp(words[1], "token") == 0) return read_token(words[2], atoll(words[3]));
  if (count == 3 && strcmp(words[1], "state") == 0) return read_state(words[2]);
  if (count == 4 && strcmp(words[1], "watch") == 0) return watch(words[2], atoi(words[3]));
  if (count == 2 && strcmp(words[1], "misuse") == 0) return misuse();
  if (count == 3 && strcmp(words[1], "threads") == 0) return read_in_threads(words[2]);
  return 64;
}
