// A reader of snapshots in C, after Sources/SnapshotFormat/FORMAT.md: the floor of every read.
#pragma once

#include <stddef.h>

// Reads the access token of the default group's namespace `primary`.
//
// RUNTIME is the runtime directory. Returns the token, to be freed, or NULL with *FAILURE set.
char *read_access_token(const char *runtime, const char **failure);
