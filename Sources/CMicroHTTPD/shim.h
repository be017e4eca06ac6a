#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <microhttpd.h>

// libmicrohttpd's entry points that Swift cannot call because they are variadic.

/// Receives the raw request target before libmicrohttpd decodes it; returns the request's context.
typedef void *(*mhd_begin_callback)(
  void *context, const char *target, struct MHD_Connection *connection);

/// Starts a daemon on a socket that already listens (MHD_start_daemon). MHD_USE_ERROR_LOG is not
/// among the flags, so that libmicrohttpd prints nothing.
static inline struct MHD_Daemon *mhd_start_on_socket(
  int listening_socket, unsigned int flags, unsigned int connection_limit,
  unsigned int timeout_seconds, size_t memory_limit, void *context,
  MHD_AccessHandlerCallback answer, mhd_begin_callback begin,
  MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback notify)
{
  return MHD_start_daemon(
    flags, 0, NULL, NULL, answer, context,
    MHD_OPTION_LISTEN_SOCKET, listening_socket,
    MHD_OPTION_CONNECTION_LIMIT, connection_limit,
    MHD_OPTION_CONNECTION_TIMEOUT, timeout_seconds,
    MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory_limit,
    MHD_OPTION_URI_LOG_CALLBACK, begin, context,
    MHD_OPTION_NOTIFY_COMPLETED, completed, context,
    MHD_OPTION_NOTIFY_CONNECTION, notify, context,
    MHD_OPTION_STRICT_FOR_CLIENT, 1,
    MHD_OPTION_END);
}

/// Returns the connection's socket, or -1 (MHD_get_connection_info).
static inline int mhd_connection_socket(struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

/// Returns what was set for the connection when it was accepted (MHD_get_connection_info).
static inline void *mhd_connection_context(struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == NULL ? NULL : info->socket_context;
}

/// Lets the inactivity limit count from now: a handler that took long must still be able to
/// answer (MHD_set_connection_option restarts the count only when it was off before).
static inline void mhd_restart_timeout(
  struct MHD_Connection *connection, unsigned int timeout_seconds)
{
  MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 0u);
  MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, timeout_seconds);
}

#endif
