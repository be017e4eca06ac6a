#ifndef TOKENVAULT_CSYSTEMD_SHIM_H
#define TOKENVAULT_CSYSTEMD_SHIM_H

#include <systemd/sd-bus.h>

/* Whatever matches is left for sd_bus_process(3) to return. */
static inline int csystemd_leave(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)message;
  (void)context;
  (void)error;
  return 0;
}

/* Subscribes to the signals of a rule and waits for the bus to say so. Negative: minus errno. */
static inline int csystemd_match(sd_bus *bus, const char *rule) {
  return sd_bus_add_match(bus, NULL, rule, csystemd_leave, NULL);
}

/* Reads an argument, a boolean, which D-Bus has as an int. Negative: minus errno. */
static inline int csystemd_read_boolean(sd_bus_message *message, int *value) {
  return sd_bus_message_read_basic(message, 'b', value);
}

/* Reads an argument, a 32-bit unsigned integer. Negative: minus errno. */
static inline int csystemd_read_unsigned(sd_bus_message *message, uint32_t *value) {
  return sd_bus_message_read_basic(message, 'u', value);
}

/* Reads an argument, a string ('s') or a path ('o'), which belongs to the message. Negative: minus
   errno. */
static inline int csystemd_read_text(sd_bus_message *message, char type, const char **text) {
  return sd_bus_message_read_basic(message, type, text);
}

#endif
