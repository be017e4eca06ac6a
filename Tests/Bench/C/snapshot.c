#define _GNU_SOURCE
#include "snapshot.h"

#include <fcntl.h>
#include <jansson.h>
#include <sodium.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { magic_length = 6, prefix_length = 12, nonce_length = 24, tag_length = 16 };
enum { key_file_length = 48, identifier_length = 8, file_limit = 262144 };

static uint32_t number(const unsigned char *bytes) {
  return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

// Opens a directory of the vault, which nobody else may own or write to.
static int open_directory(int parent, const char *name) {
  int descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat status;
  if (descriptor == -1) return -1;
  if (fstat(descriptor, &status) == -1 || status.st_uid != geteuid() || status.st_mode & 077) {
    close(descriptor);
    return -1;
  }
  return descriptor;
}

// Reads a file of the vault whole; returns its length, or -1.
static ssize_t read_file(int directory, const char *name, unsigned char *bytes, size_t limit) {
  int descriptor = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat status;
  if (descriptor == -1) return -1;
  ssize_t length = -1;
  if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 1 &&
      status.st_uid == geteuid() && !(status.st_mode & 077) && (size_t)status.st_size <= limit)
    length = read(descriptor, bytes, limit);
  close(descriptor);
  return length;
}

// Finds the reader box, which is the last thing in the file, and checks the lengths before it.
static const unsigned char *reader_box(const unsigned char *file, size_t length) {
  if (length < prefix_length || memcmp(file, "TVSNAP", magic_length)) return NULL;
  if (file[6] != 1 || file[7] != 0) return NULL;
  size_t offset = prefix_length + (size_t)number(file + 8);
  if (offset + 4 > length) return NULL;
  offset += 4 + (size_t)number(file + offset);
  if (offset + 4 > length || offset + 4 + number(file + offset) != length) return NULL;
  return file + offset;
}

// Opens the reader box into PLAIN; returns the record's length without its padding, or -1.
static ssize_t open_box(const unsigned char *file, size_t length, const unsigned char *key,
                        unsigned char *plain) {
  const unsigned char *box = reader_box(file, length);
  if (!box || length - (box - file) < 4 + nonce_length + tag_length) return -1;
  // The associated data is all that stands before the box, and the box's name.
  size_t before = box - file;
  unsigned char *associated = malloc(before + 6);
  if (!associated) return -1;
  memcpy(associated, file, before);
  memcpy(associated + before, "reader", 6);
  const unsigned char *nonce = box + 4;
  unsigned long long plain_length;
  int failed = crypto_aead_xchacha20poly1305_ietf_decrypt(
      plain, &plain_length, NULL, nonce + nonce_length,
      length - before - 4 - nonce_length, associated, before + 6, nonce, key);
  free(associated);
  size_t unpadded;
  if (failed || sodium_unpad(&unpadded, plain, plain_length, 1024)) return -1;
  return unpadded;
}

static char *access_token(const unsigned char *record, size_t length, const char **failure) {
  json_t *object = json_loadb((const char *)record, length, JSON_REJECT_DUPLICATES, NULL);
  const char *token = json_string_value(json_object_get(object, "accessToken"));
  char *copy = token ? strdup(token) : NULL;
  if (!copy) *failure = "the record has no access token";
  json_decref(object);
  return copy;
}

static char *open_snapshot(int group, int directory, const char **failure) {
  static unsigned char file[file_limit + 1], plain[file_limit];
  unsigned char key[key_file_length + 1], identifier[16];
  *failure = "there is no key";
  if (read_file(group, "key", key, sizeof key) != key_file_length) return NULL;
  *failure = "the key is damaged";
  crypto_generichash(identifier, sizeof identifier, (const unsigned char *)"TokenVault key id", 17,
                     key + 8, 32);
  if (memcmp(key, "TVGKEY\1", 8) || memcmp(identifier, key + 40, identifier_length)) return NULL;
  *failure = "there is no snapshot";
  ssize_t length = read_file(directory, "session", file, sizeof file);
  if (length < 0) return NULL;
  *failure = "the snapshot is damaged";
  ssize_t record = open_box(file, length, key + 8, plain);
  return record < 0 ? NULL : access_token(plain, record, failure);
}

char *read_access_token(const char *runtime, const char **failure) {
  *failure = "libsodium does not start";
  if (sodium_init() == -1) return NULL;
  int root = open_directory(AT_FDCWD, runtime);
  int groups = open_directory(root, "groups");
  int group = open_directory(groups, "default");
  int all = open_directory(group, "ns");
  int directory = open_directory(all, "primary");
  *failure = "a directory is missing or not this user's alone";
  char *token = directory == -1 ? NULL : open_snapshot(group, directory, failure);
  int opened[] = {root, groups, group, all, directory};
  for (int i = 0; i < 5; i++)
    if (opened[i] != -1) close(opened[i]);
  return token;
}
