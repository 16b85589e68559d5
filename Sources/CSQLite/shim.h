// For what Swift cannot use: a variadic function, and destructors that are macros with casts.
#pragma once

#include <features.h>
#include <sqlite3.h>

/// Binds a copy of `count` bytes of UTF-8.
static inline int busd_bind_text(
    sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count
) {
    return sqlite3_bind_text64(
        statement, index, count ? text : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds a copy of `count` bytes; an empty blob if `count` is 0.
static inline int busd_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count
) {
    return sqlite3_bind_blob64(
        statement, index, count ? bytes : "", count, SQLITE_TRANSIENT);
}

/// Sets whether closing the connection leaves the write-ahead log as it is.
static inline int busd_keep_log_on_close(sqlite3 *database, int keeps) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0);
}

/// Turns off SQLite's memory statistics, which take a lock for each allocation. Call it before any other
/// function of SQLite.
static inline int busd_do_not_count_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
