/*
 * TokenVault for C, and for every language that can call C: read the access tokens that the user's
 * TokenVault host publishes, show the state of a session, and wait for changes.
 *
 *   cc widget.c $(pkg-config --cflags --libs tokenvault)
 *
 * Nothing here signs in, renews, opens a browser or reaches the network, and nothing waits for the
 * host.
 *
 * Texts are UTF-8 and end with a NUL byte. Texts for people are one sentence without a full stop and
 * hold no control characters and no token. A namespace and an access group have names of 1 to 64
 * letters, digits, '.', '_' and '-', the first of them a letter or a digit; NULL stands for "primary"
 * and for "default".
 *
 * Results are TOKENVAULT_OK or another status. Every list of numbers below may grow: a program treats
 * a number that it does not know as a failure, or as a state in which no token can be had.
 *
 * Threads: any thread may call any function, and several may use one vault at once. A monitor is for
 * one thread at a time, and so is a state. Nothing may be in use while it is closed or freed. The
 * library starts no thread: what is watched is watched by the calls of whoever waits. A child of
 * fork(2) must not use what its parent opened; it opens its own.
 *
 * The library installs no signal handler, prints nothing, and leaves the locale, the environment and
 * the working directory alone. Its descriptors are closed at execve(2). It cannot be unloaded
 * (dlclose(3) leaves it in place). A process without memory is ended by abort(3).
 *
 * The ABI is stable: a function keeps its meaning under its version, TOKENVAULT_0, for as long as
 * the library is called libtokenvault.so.0.
 */
#ifndef TOKENVAULT_H
#define TOKENVAULT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a function says. */
enum tokenvault_status {
  TOKENVAULT_OK = 0,
  /* A pointer is NULL, or a name breaks the rule, that must not. */
  TOKENVAULT_INVALID_ARGUMENT = 1,
  /* No snapshot has ever been published for the namespace, or it is gone. */
  TOKENVAULT_ABSENT = 2,
  /* The person signed out. */
  TOKENVAULT_SIGNED_OUT = 3,
  /* A person has to sign in again. */
  TOKENVAULT_REAUTHENTICATION_REQUIRED = 4,
  /* The access token has ended. */
  TOKENVAULT_EXPIRED = 5,
  /* The access token is good for less than was asked for, or than the margin. */
  TOKENVAULT_TOO_SHORT = 6,
  /* The token's end is not known, so that no validity can be promised. */
  TOKENVAULT_EXPIRY_UNKNOWN = 7,
  /* The snapshot is of a kind that this library does not know: update it. */
  TOKENVAULT_UNSUPPORTED_RECORD = 8,
  /* The access group's key is missing or does not open the snapshot. */
  TOKENVAULT_KEY_UNAVAILABLE = 9,
  /* The snapshot is damaged. */
  TOKENVAULT_CORRUPT = 10,
  /* The snapshot has a format version that this library does not know: update it. */
  TOKENVAULT_UNSUPPORTED_VERSION = 11,
  /* An owner or mode must not be trusted, or the files may not be read. */
  TOKENVAULT_PERMISSION = 12,
  /* A system call failed. */
  TOKENVAULT_STORAGE = 13,
  /* The process has no descriptor left to watch with. */
  TOKENVAULT_NO_DESCRIPTOR = 14,
  /* Nothing is new, and the time is over. */
  TOKENVAULT_TIMEOUT = 15
};

/* Whether the access token may be used. It may in the first two, and the fourth where nobody needs a
   promise. */
enum tokenvault_session {
  TOKENVAULT_SESSION_VALID = 1,
  /* Good, but for less than the margin: 30 s, or an eighth of a shorter lifetime. */
  TOKENVAULT_SESSION_EXPIRING = 2,
  TOKENVAULT_SESSION_EXPIRED = 3,
  /* Usable, but nobody knows for how long. */
  TOKENVAULT_SESSION_EXPIRY_UNKNOWN = 4,
  TOKENVAULT_SESSION_SIGNED_OUT = 5,
  TOKENVAULT_SESSION_REAUTHENTICATION_REQUIRED = 6,
  TOKENVAULT_SESSION_ABSENT = 7,
  TOKENVAULT_SESSION_UNSUPPORTED_RECORD = 8,
  TOKENVAULT_SESSION_KEY_UNAVAILABLE = 9,
  TOKENVAULT_SESSION_CORRUPT = 10,
  TOKENVAULT_SESSION_UNSUPPORTED_VERSION = 11,
  TOKENVAULT_SESSION_PERMISSION = 12,
  TOKENVAULT_SESSION_STORAGE = 13
};

/* What the host says of itself; it says nothing of whether the token may be used. */
enum tokenvault_host {
  /* Nothing can be read. */
  TOKENVAULT_HOST_UNKNOWN = 0,
  TOKENVAULT_HOST_OK = 1,
  TOKENVAULT_HOST_RENEWING = 2,
  TOKENVAULT_HOST_OFFLINE = 3,
  TOKENVAULT_HOST_WAITING = 4,
  TOKENVAULT_HOST_STORAGE_FAILED = 5,
  TOKENVAULT_HOST_LOCKED = 6,
  /* No host runs, or it is late. */
  TOKENVAULT_HOST_STALE = 7
};

/* What is new about a state. */
enum tokenvault_change {
  /* The state as it is: the first of a monitor, and what tokenvault_state_read reads. */
  TOKENVAULT_CHANGE_CURRENT = 0,
  /* Another snapshot was published, or the snapshot went away. */
  TOKENVAULT_CHANGE_SNAPSHOT = 1,
  /* Another snapshot was published, and it is another account's. */
  TOKENVAULT_CHANGE_ACCOUNT = 2,
  /* The snapshot is the same, but time has gone by or the host has come or gone. */
  TOKENVAULT_CHANGE_CONDITION = 3,
  /* The state is the same, but changes are noticed in another way. */
  TOKENVAULT_CHANGE_WATCHING = 4
};

/* A validity that leaves the margin to the library: 30 s, or an eighth of a shorter lifetime. */
#define TOKENVAULT_MARGIN ((int64_t)-1)

/* A time that is not known. */
#define TOKENVAULT_UNKNOWN INT64_MIN

/* The sessions of one access group. */
typedef struct tokenvault tokenvault;
/* What is known of a namespace at one moment. */
typedef struct tokenvault_state tokenvault_state;
/* What notices changes of a namespace. */
typedef struct tokenvault_monitor tokenvault_monitor;

/*
 * Opens an access group in the directories that the environment names: TOKENVAULT_RUNTIME_DIR,
 * XDG_RUNTIME_DIR and the defaults. The environment is read here and at no other time. Nothing is
 * looked for before a namespace is asked for, so this succeeds where no host has ever run.
 *
 * access_group: the group's name; NULL for "default".
 * vault: gets the vault, or NULL with any other result than TOKENVAULT_OK; for tokenvault_close.
 * Returns TOKENVAULT_OK or TOKENVAULT_INVALID_ARGUMENT.
 */
int tokenvault_open(const char *access_group, tokenvault **vault);

/* Closes a vault; NULL does nothing. Its states and monitors stay as they are. */
void tokenvault_close(tokenvault *vault);

/*
 * Reads an access token that is good for a while. Where nothing has changed since the last call this
 * costs one fstat(2).
 *
 * namespace_name: the namespace; NULL for "primary".
 * valid_for: for how many milliseconds the token must be good from now, as a promise; 0 takes any that
 *     has not ended; TOKENVAULT_MARGIN takes one that is good for the margin, or whose end is not known.
 * token: gets the token, or NULL with any other result than TOKENVAULT_OK; for tokenvault_free.
 * message: where it is not NULL, gets what stands in the way and what to do next, as a text for people,
 *     or NULL with TOKENVAULT_OK; for tokenvault_free.
 * Returns TOKENVAULT_OK or why there is no token: any status up to TOKENVAULT_STORAGE.
 */
int tokenvault_token(tokenvault *vault, const char *namespace_name, int64_t valid_for, char **token,
                     char **message);

/* Overwrites a text that the library has given and frees it; NULL does nothing. */
void tokenvault_free(char *text);

/*
 * Reads what state a namespace is in, which is never a failure: what stands in the way is a state too.
 *
 * namespace_name: the namespace; NULL for "primary".
 * state: gets the state, or NULL with any other result than TOKENVAULT_OK; for tokenvault_state_free.
 * Returns TOKENVAULT_OK or TOKENVAULT_INVALID_ARGUMENT.
 */
int tokenvault_state_read(tokenvault *vault, const char *namespace_name, tokenvault_state **state);

/* Frees a state and all texts that were read from it; NULL does nothing. */
void tokenvault_state_free(tokenvault_state *state);

/* Whether the access token may be used: enum tokenvault_session. */
int tokenvault_state_session(const tokenvault_state *state);

/* The session as a stable word, such as "valid" or "signed-out"; valid as long as the state. */
const char *tokenvault_state_session_word(const tokenvault_state *state);

/* What the host says of itself: enum tokenvault_host. */
int tokenvault_state_host(const tokenvault_state *state);

/* The host as a stable word, such as "ok" or "stale"; valid as long as the state. */
const char *tokenvault_state_host_word(const tokenvault_state *state);

/* What is new about the state: enum tokenvault_change. */
int tokenvault_state_change(const tokenvault_state *state);

/* The snapshot's number, which never goes down while the host keeps its state; 0 without a snapshot. */
uint64_t tokenvault_state_generation(const tokenvault_state *state);

/* When the snapshot was published, in Unix seconds, or TOKENVAULT_UNKNOWN. */
int64_t tokenvault_state_published_at(const tokenvault_state *state);

/*
 * By when the host will have published again, in Unix seconds, or TOKENVAULT_UNKNOWN: with another token
 * by then, or because something has changed, or, after six hours at most, to show that it still runs.
 * Where a token is to be renewed within these six hours, it is when that will have been done.
 */
int64_t tokenvault_state_next_publication_by(const tokenvault_state *state);

/* When the access token ends by the wall clock, in Unix seconds, or TOKENVAULT_UNKNOWN. */
int64_t tokenvault_state_expires_at(const tokenvault_state *state);

/*
 * For how many milliseconds the access token was good when the state was read, by whichever clock ends
 * it earlier; negative after its end; TOKENVAULT_UNKNOWN.
 */
int64_t tokenvault_state_expires_in(const tokenvault_state *state);

/* The issuer of the session; NULL where there is none. Valid as long as the state. */
const char *tokenvault_state_issuer(const tokenvault_state *state);

/* The account's name for people, control characters replaced; NULL where it is not known, and where the
   person has signed out. Valid as long as the state. */
const char *tokenvault_state_account(const tokenvault_state *state);

/* Why the state is what it is, a text for people; NULL when all is well. Valid as long as the state. */
const char *tokenvault_state_reason(const tokenvault_state *state);

/* What the person can do about it, a text for people; NULL when nothing. Valid as long as the state. */
const char *tokenvault_state_next_step(const tokenvault_state *state);

/*
 * Makes a monitor of a namespace. It stays good when its vault is closed.
 *
 * namespace_name: the namespace; NULL for "primary".
 * monitor: gets the monitor, or NULL with any other result than TOKENVAULT_OK; for
 *     tokenvault_monitor_close.
 * Returns TOKENVAULT_OK, TOKENVAULT_INVALID_ARGUMENT or TOKENVAULT_NO_DESCRIPTOR.
 */
int tokenvault_monitor_open(tokenvault *vault, const char *namespace_name,
                            tokenvault_monitor **monitor);

/*
 * A descriptor that becomes readable (POLLIN) when tokenvault_monitor_next has something to say. It is
 * to be polled, with poll(2), epoll(7) or an event loop, and never read and never closed. -1 for NULL.
 *
 * Before each wait, and so before the first, tokenvault_monitor_next has to be called with a timeout of
 * 0 until it returns TOKENVAULT_TIMEOUT. Readable does not mean that there is news.
 */
int tokenvault_monitor_descriptor(const tokenvault_monitor *monitor);

/*
 * Waits for the next state: the present one at first, then each that is new, by another snapshot, by
 * time alone as when the token ends, or because the host has come or gone. Changes that come faster
 * than they are taken are left out, the newest is not.
 *
 * timeout: how many milliseconds to wait at most; 0 does not wait, a negative number waits without end.
 * state: gets the state, or NULL with any other result than TOKENVAULT_OK; for tokenvault_state_free.
 * Returns TOKENVAULT_OK, TOKENVAULT_TIMEOUT or TOKENVAULT_INVALID_ARGUMENT.
 */
int tokenvault_monitor_next(tokenvault_monitor *monitor, int64_t timeout, tokenvault_state **state);

/* Closes a monitor and its descriptor; NULL does nothing. */
void tokenvault_monitor_close(tokenvault_monitor *monitor);

/* What a status means, a text for people that is always valid. */
const char *tokenvault_strerror(int status);

#ifdef __cplusplus
}
#endif

#endif
