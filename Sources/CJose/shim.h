#include <jose/jose.h>

/// Takes an error message of libjose and says nothing.
static inline void tokenvault_jose_silence(
    void *misc, const char *file, int line, uint64_t code, const char *format, va_list arguments) {
  (void)misc, (void)file, (void)line, (void)code, (void)format, (void)arguments;
}

/// A configuration whose messages go nowhere; libjose's default prints them to standard error.
/// Its reference count is not atomic, so each call takes one of its own.
static inline jose_cfg_t *tokenvault_jose_silent_configuration(void) {
  jose_cfg_t *configuration = jose_cfg();
  if (configuration) jose_cfg_set_err_func(configuration, tokenvault_jose_silence, NULL);
  return configuration;
}
