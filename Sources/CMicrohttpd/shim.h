// <features.h> comes first, as in CLibevent. Swift cannot call functions with variable arguments, so those of the library
// are wrapped here.
#pragma once

#include <features.h>
#include <microhttpd.h>
#include <stdbool.h>
#include <stdio.h>

/// What a server is started with. Texts are copied or read before `busd_http_start` returns.
typedef struct {
    /// A listening socket, which the server owns from then on.
    int socket;
    unsigned connections;
    /// Bytes of memory of a connection, and seconds without progress after which it ends.
    size_t memory;
    unsigned timeout;
    /// PEM, or both are null.
    const char *certificate, *key;
    MHD_AccessHandlerCallback request;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    /// Text in percent code is not decoded: an address needs none.
    size_t (*unescape)(void *, struct MHD_Connection *, char *);
    /// The first argument of all callbacks.
    void *context;
} busd_http_settings;

enum { busd_http_message_size = 256 };

/// Keeps the first message, which has the cause.
static inline void busd_http_log(void *context, const char *format, va_list arguments) {
    char *message = (char *)context;
    if (message[0] == '\0') vsnprintf(message, busd_http_message_size, format, arguments);
}

/// Returns null if the server cannot start; `message` has the reason then. `message` has `busd_http_message_size` bytes,
/// and lives as long as the server.
static inline struct MHD_Daemon *busd_http_start(const busd_http_settings *settings, char *message) {
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)settings->certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)settings->key},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
    bool secure = settings->certificate != NULL;
    unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG | (secure ? MHD_USE_TLS : 0);
    message[0] = '\0';
    return MHD_start_daemon(
        flags, 0, NULL, NULL, settings->request, settings->context,
        MHD_OPTION_EXTERNAL_LOGGER, busd_http_log, message,
        MHD_OPTION_LISTEN_SOCKET, settings->socket,
        MHD_OPTION_CONNECTION_LIMIT, settings->connections,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->memory,
        MHD_OPTION_CONNECTION_TIMEOUT, settings->timeout,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_NOTIFY_COMPLETED, settings->completed, settings->context,
        MHD_OPTION_NOTIFY_CONNECTION, settings->connection, settings->context,
        MHD_OPTION_UNESCAPE_CALLBACK, settings->unescape, settings->context,
        MHD_OPTION_ARRAY, secure ? tls : none,
        MHD_OPTION_END);
}

/// Readable when `MHD_run` has work.
static inline int busd_http_queue(struct MHD_Daemon *server) {
    return MHD_get_daemon_info(server, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

static inline int busd_http_socket(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

static inline const struct sockaddr *busd_http_peer(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr;
}

/// What the notice of a new connection has put there.
static inline void *busd_http_context(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

/// 0: never.
static inline void busd_http_set_timeout(struct MHD_Connection *connection, unsigned seconds) {
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}
