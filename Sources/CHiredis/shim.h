// Swift sees the array `errstr` as a tuple of 128 characters.
#pragma once

#include <features.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/time.h>
#include <hiredis/hiredis.h>

/// The message of the last error of a connection.
static inline const char *busd_redis_error(const redisContext *context) { return context->errstr; }

/// Limits the memory of a reply. hiredis limits nothing: it allocates the elements of an array
/// before they arrive.
typedef struct {
    redisReplyObjectFunctions functions;
    redisReplyObjectFunctions *original;
    /// Bytes of memory of the reply that arrives, and the most that it may have.
    size_t used, most;
} busd_redis_budget;

/// Bytes of a value, beside its text or its elements.
enum { busd_redis_value_size = 128 };

static inline bool busd_redis_charge(const redisReadTask *task, size_t size) {
    busd_redis_budget *budget = (busd_redis_budget *)task->privdata;
    if (size > budget->most || budget->used + busd_redis_value_size > budget->most - size) return false;
    budget->used += size + busd_redis_value_size;
    return true;
}

static inline redisReplyObjectFunctions *busd_redis_original(const redisReadTask *task) {
    return ((busd_redis_budget *)task->privdata)->original;
}

// `NULL` ends the connection with the error "Out of memory".
static void *busd_redis_string(const redisReadTask *task, char *text, size_t length) {
    return busd_redis_charge(task, length) ? busd_redis_original(task)->createString(task, text, length) : NULL;
}

static void *busd_redis_array(const redisReadTask *task, int count) {
    size_t elements = count > 0 ? (size_t)count : 0;
    return busd_redis_charge(task, elements * sizeof(void *)) ? busd_redis_original(task)->createArray(task, count) : NULL;
}

static void *busd_redis_integer(const redisReadTask *task, long long number) {
    return busd_redis_charge(task, 0) ? busd_redis_original(task)->createInteger(task, number) : NULL;
}

static void *busd_redis_nil(const redisReadTask *task) {
    return busd_redis_charge(task, 0) ? busd_redis_original(task)->createNil(task) : NULL;
}

/// Returns the budget of a connection, which outlives it; `NULL`: out of memory.
static inline busd_redis_budget *busd_redis_limit(redisContext *context) {
    busd_redis_budget *budget = (busd_redis_budget *)calloc(1, sizeof(busd_redis_budget));
    if (!budget) return NULL;
    budget->original = context->reader->fn;
    budget->functions = (redisReplyObjectFunctions){
        busd_redis_string, busd_redis_array, busd_redis_integer, busd_redis_nil,
        budget->original->freeObject };
    context->reader->fn = &budget->functions;
    context->reader->privdata = budget;
    return budget;
}

/// Bytes that have arrived and are not part of a reply yet.
static inline size_t busd_redis_unread(const redisContext *context) {
    return context->reader->len - context->reader->pos;
}
