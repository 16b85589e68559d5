#pragma once

#include <stddef.h>
#include <wchar.h>

/// wcwidth(3), which <wchar.h> has only under _XOPEN_SOURCE.
int wcwidth(wchar_t character);

// Restores the terminal when the process ends. This is C because a signal handler must not use Swift's runtime.

/// From now on each signal that ends the process, and exit(3), first restore the present modes of
/// `terminal`. Ignored signals stay ignored. 0, or -1 and errno.
int busd_guard_terminal(int terminal);

/// Sets the bytes that are written to the terminal then. More than 512 bytes are ignored as a whole.
void busd_guard_terminal_with(const void *bytes, size_t count);

/// Ends the guard. Call it when the terminal has been restored.
void busd_unguard_terminal(void);
