// <features.h> comes first, as in CLibevent. Swift cannot call functions with variable arguments, so those of the library
// are wrapped here.
#pragma once

#include <features.h>
#include <gnutls/gnutls.h>
#include <microhttpd.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

/// What a server is started with. Texts are copied or read before `busd_http_start` returns.
typedef struct {
    unsigned connections;
    /// Bytes of memory of a connection, and seconds without progress after which it ends.
    size_t memory;
    unsigned timeout;
    /// PEM, or both are null.
    const char *certificate, *key;
    MHD_AccessHandlerCallback request;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    /// The line of a request is there, with the target as it was sent.
    void *(*target)(void *, const char *, struct MHD_Connection *);
    /// Text in percent code is not decoded: an address needs none.
    size_t (*unescape)(void *, struct MHD_Connection *, char *);
    /// The library has found a fault, and may be about to answer it.
    void (*fault)(void *);
    /// The first argument of all callbacks.
    void *context;
} busd_http_settings;

enum { busd_http_message_size = 256 };

/// What the library's messages are for. It lives as long as the server.
typedef struct {
    /// The first message, which has the cause of a failed start.
    char first[busd_http_message_size];
    void (*fault)(void *);
    void *context;
} busd_http_messages;

static inline void busd_http_log(void *context, const char *format, va_list arguments) {
    busd_http_messages *messages = (busd_http_messages *)context;
    if (messages->first[0] == '\0') vsnprintf(messages->first, busd_http_message_size, format, arguments);
    messages->fault(messages->context);
}

/// Returns null if the server cannot start; `messages` has the reason then.
static inline struct MHD_Daemon *busd_http_start(const busd_http_settings *settings, busd_http_messages *messages) {
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)settings->certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)settings->key},
        // RFC 8996: no TLS 1.0 and 1.1.
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)"NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
    bool secure = settings->certificate != NULL;
    unsigned flags = MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG
        | (secure ? MHD_USE_TLS : 0);
    messages->first[0] = '\0';
    messages->fault = settings->fault;
    messages->context = settings->context;
    return MHD_start_daemon(
        flags, 0, NULL, NULL, settings->request, settings->context,
        MHD_OPTION_EXTERNAL_LOGGER, busd_http_log, messages,
        MHD_OPTION_CONNECTION_LIMIT, settings->connections,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->memory,
        MHD_OPTION_CONNECTION_TIMEOUT, settings->timeout,
        // The strict one answers a request without Host by two heads. `HTTPRequest.refusal` is strict.
        MHD_OPTION_STRICT_FOR_CLIENT, 0,
        MHD_OPTION_URI_LOG_CALLBACK, settings->target, settings->context,
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

/// A connection that waits at a listening socket, with the address of its client. -1 if there is none, or errno says why it
/// cannot be taken.
static inline int busd_http_accept(int listening, struct sockaddr_storage *address) {
    socklen_t size = sizeof(*address);
    return accept(listening, (struct sockaddr *)address, &size);
}

/// Hands an accepted connection to the library, which closes it. False if its client has reset it: it is closed.
static inline bool busd_http_serve(struct MHD_Daemon *server, int number) {
    struct sockaddr_storage address;
    socklen_t size = sizeof(address);
    if (getpeername(number, (struct sockaddr *)&address, &size) != 0) {
        close(number);
        return false;
    }
    return MHD_add_connection(server, number, (const struct sockaddr *)&address, size) == MHD_YES;
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

/// Bytes of the head of a request, from its method to its empty line. The library has written a NUL over each separator.
static inline size_t busd_http_head_size(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE)->header_size;
}

/// Adds an empty `Cookie` before the headers of the request. The library parses the first one only, and answers many cookies
/// by two heads. It keeps no copy of these texts.
static inline void busd_http_hide_cookies(struct MHD_Connection *connection) {
    MHD_set_connection_value(connection, MHD_HEADER_KIND, "Cookie", "");
}

/// The first header with the name, also while the head still arrives; false if there is none.
static inline bool busd_http_find_header(
    struct MHD_Connection *connection, const char *name, size_t size, const char **value, size_t *value_size) {
    return MHD_lookup_connection_value_n(connection, MHD_HEADER_KIND, name, size, value, value_size) == MHD_YES;
}

/// Writes an answer past the library, which can write nothing to this client any more.
static inline void busd_http_end(struct MHD_Connection *connection, const void *answer, size_t size) {
    int number = busd_http_socket(connection);
    const union MHD_ConnectionInfo *tls = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    if (tls != NULL && tls->tls_session != NULL) gnutls_record_send((gnutls_session_t)tls->tls_session, answer, size);
    else send(number, answer, size, MSG_NOSIGNAL);
    shutdown(number, SHUT_WR);
}

/// A response with bytes that it does not copy. `free` is called with `context` when it needs them no more.
static inline struct MHD_Response *busd_http_response(
    size_t size, const void *bytes, void (*free)(void *), void *context) {
    return MHD_create_response_from_buffer_with_free_callback_cls(size, (void *)bytes, free, context);
}

/// 0: never.
static inline void busd_http_set_timeout(struct MHD_Connection *connection, unsigned seconds) {
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}
