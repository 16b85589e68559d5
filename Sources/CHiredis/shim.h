// Swift sees the array `errstr` as a tuple of 128 characters.
#pragma once

#include <features.h>
#include <sys/time.h>
#include <hiredis/hiredis.h>
#include <hiredis/async.h>

/// The message of the last error of a connection.
static inline const char *busd_redis_error(const redisContext *context) { return context->errstr; }
