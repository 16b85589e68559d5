// What Swift can't read: members of a union, and constants that are casts.
#pragma once

#include <features.h>
#include <sys/time.h>
#include <hiredis/hiredis.h>
#include <hiredis/async.h>

/// Why the last operation of a connection failed.
static inline const char *busd_redis_error(const redisContext *context) { return context->errstr; }
