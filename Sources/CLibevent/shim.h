// <features.h> comes first: libevent's configuration defines _GNU_SOURCE, and Swift's Glibc module
// is built without it, so `fd_set` would have two definitions.
#include <features.h>
#include <event2/event.h>
