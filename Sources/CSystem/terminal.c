#include "terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static const int fatal[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGQUIT};
enum { fatal_count = sizeof fatal / sizeof fatal[0] };

static struct {
    volatile sig_atomic_t active;
    int terminal;
    struct termios modes;
    char bytes[512];
    size_t count;
    struct sigaction former[fatal_count];
} guard;

static void restore(void) {
    if (!guard.active) {
        return;
    }
    guard.active = false;
    ssize_t written = write(guard.terminal, guard.bytes, guard.count);
    (void)written;
    tcsetattr(guard.terminal, TCSANOW, &guard.modes);
}

static void crashed(int signal, siginfo_t *info, void *context) {
    (void)context;
    int saved = errno;
    restore();
    bool is_sent = info->si_code <= 0 || info->si_code == SI_KERNEL;
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int i = 0; i < fatal_count; i++) {
        if (fatal[i] == signal) {
            sigaction(signal, is_sent ? &standard : &guard.former[i], NULL);
        }
    }
    // A fault repeats as soon as this returns; a signal that was sent does not.
    if (is_sent) {
        raise(signal);
    }
    errno = saved;
}

int busd_guard_terminal(int terminal) {
    static bool registered;
    if (tcgetattr(terminal, &guard.modes) != 0) {
        return -1;
    }
    guard.terminal = terminal;
    guard.count = 0;
    if (!registered) {
        registered = atexit(restore) == 0;
    }
    struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < fatal_count; i++) {
        sigaction(fatal[i], &action, &guard.former[i]);
    }
    guard.active = true;
    return 0;
}

void busd_guard_terminal_with(const void *bytes, size_t count) {
    if (count <= sizeof guard.bytes) {
        memcpy(guard.bytes, bytes, count);
        guard.count = count;
    }
}

void busd_unguard_terminal(void) {
    if (!guard.active) {
        return;
    }
    guard.active = false;
    for (int i = 0; i < fatal_count; i++) {
        sigaction(fatal[i], &guard.former[i], NULL);
    }
}
