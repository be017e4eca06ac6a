#include <jansson.h>
#include <malloc.h>
#include <string.h>

/// Wipes the whole block, then frees it: tokens do not stay in freed heap memory.
static inline void tokenvault_json_wipe_and_free(void *block) {
  if (block == NULL) return;
  explicit_bzero(block, malloc_usable_size(block));
  free(block);
}

/// Makes jansson free through the wiping function. Blocks that plain malloc gave before stay valid,
/// so it does not matter when this is called, nor how often.
static inline void tokenvault_json_install_wiping_free(void) {
  json_set_alloc_funcs(malloc, tokenvault_json_wipe_and_free);
}

/// json_error_code() under a name that Swift can tell from the enumeration of the same name.
static inline int tokenvault_json_error_code(const json_error_t *error) {
  return (int)json_error_code(error);
}
