// <features.h> comes first: libevent's configuration defines _GNU_SOURCE, and Swift's Glibc module
// is built without it, so that `fd_set` would come in two shapes.
#include <features.h>
#include <event2/event.h>
