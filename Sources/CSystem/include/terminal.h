#pragma once

#include <stddef.h>
#include <wchar.h>

/// wcwidth(3), which <wchar.h> has only under _XOPEN_SOURCE.
int wcwidth(wchar_t character);

// The terminal as it was, on the way out of a crash. This is C because a signal handler may touch
// nothing of Swift's.

/// From now on a signal that ends the process with a core dump, and exit(3), first give `terminal` the
/// modes that it has now. 0, or -1 and errno.
int busd_guard_terminal(int terminal);

/// What is written to the terminal then: at most 512 bytes, else nothing is.
void busd_guard_terminal_with(const void *bytes, size_t count);

/// The terminal has been restored in the proper way.
void busd_unguard_terminal(void);
