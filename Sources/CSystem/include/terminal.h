#pragma once

#include <stddef.h>
#include <wchar.h>

/// wcwidth(3), which <wchar.h> has only under _XOPEN_SOURCE.
int wcwidth(wchar_t character);

// The terminal as it was, on the way out of a crash. This is C because a signal handler may touch
// nothing of Swift's.

/// From now on a signal that ends the process with a core dump, and exit(3), first write `bytes` to
/// `terminal` and give it the modes that it has now. At most 512 bytes are kept; 0, or -1 and errno.
int busd_guard_terminal(int terminal, const void *bytes, size_t count);

/// The terminal has been restored in the proper way.
void busd_unguard_terminal(void);
