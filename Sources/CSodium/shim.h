#ifndef TOKENVAULT_CSODIUM_SHIM_H
#define TOKENVAULT_CSODIUM_SHIM_H

#include <sodium.h>

/* libsodium's byte pointers are typed and non-null; Swift's raw buffers are neither. */

static inline void csodium_aead_seal(void *sealed, const void *plain, size_t plain_length,
                                     const void *associated, size_t associated_length,
                                     const void *nonce, const void *key) {
  crypto_aead_xchacha20poly1305_ietf_encrypt(
      (unsigned char *)sealed, NULL, (const unsigned char *)plain, plain_length,
      (const unsigned char *)associated, associated_length, NULL,
      (const unsigned char *)nonce, (const unsigned char *)key);
}

/* 0, or -1 when the tag does not fit. */
static inline int csodium_aead_open(void *plain, const void *sealed, size_t sealed_length,
                                    const void *associated, size_t associated_length,
                                    const void *nonce, const void *key) {
  return crypto_aead_xchacha20poly1305_ietf_decrypt(
      (unsigned char *)plain, NULL, NULL, (const unsigned char *)sealed, sealed_length,
      (const unsigned char *)associated, associated_length, (const unsigned char *)nonce,
      (const unsigned char *)key);
}

static inline void csodium_derive_key(void *subkey, size_t length, uint64_t identifier,
                                      const void *context, const void *master) {
  crypto_kdf_derive_from_key((unsigned char *)subkey, length, identifier, (const char *)context,
                             (const unsigned char *)master);
}

/* 0, or -1 when the memory could not be had. */
static inline int csodium_passphrase_key(void *key, size_t key_length, const void *passphrase,
                                         size_t length, const void *salt, uint64_t passes,
                                         size_t memory) {
  return crypto_pwhash((unsigned char *)key, key_length,
                       passphrase ? (const char *)passphrase : "", length,
                       (const unsigned char *)salt, passes, memory, crypto_pwhash_ALG_ARGON2ID13);
}

static inline void csodium_sha256(void *digest, const void *bytes, size_t length) {
  crypto_hash_sha256((unsigned char *)digest, (const unsigned char *)bytes, length);
}

static inline void csodium_sha512(void *digest, const void *bytes, size_t length) {
  crypto_hash_sha512((unsigned char *)digest, (const unsigned char *)bytes, length);
}

/* SHA-384 is SHA-512 from other initial values, cut (FIPS 180-4, 5.3.4 and 6.5). */
static inline void csodium_sha384(void *digest, const void *bytes, size_t length) {
  static const uint64_t initial[8] = {
      0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
      0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4};
  unsigned char whole[crypto_hash_sha512_BYTES];
  crypto_hash_sha512_state state;
  crypto_hash_sha512_init(&state);
  for (int i = 0; i < 8; i++) state.state[i] = initial[i];
  crypto_hash_sha512_update(&state, (const unsigned char *)bytes, length);
  crypto_hash_sha512_final(&state, whole);
  for (int i = 0; i < 48; i++) ((unsigned char *)digest)[i] = whole[i];
}

static inline void csodium_keyed_hash(void *digest, size_t digest_length, const void *bytes,
                                      size_t length, const void *key, size_t key_length) {
  crypto_generichash((unsigned char *)digest, digest_length, (const unsigned char *)bytes, length,
                     (const unsigned char *)key, key_length);
}

static inline size_t csodium_base64url_capacity(size_t length) {
  return sodium_base64_ENCODED_LEN(length, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

static inline void csodium_base64url_encode(void *text, size_t capacity, const void *bytes,
                                            size_t length) {
  sodium_bin2base64((char *)text, capacity, (const unsigned char *)bytes, length,
                    sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

/* The decoded length, or -1. */
static inline long csodium_base64url_decode(void *bytes, size_t capacity, const void *text,
                                            size_t length) {
  size_t count = 0;
  if (sodium_base642bin((unsigned char *)bytes, capacity, (const char *)text, length, NULL, &count,
                        NULL, sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0)
    return -1;
  return (long)count;
}

#endif
