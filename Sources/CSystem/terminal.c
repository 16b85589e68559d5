#include "terminal.h"

#include "csystem.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static struct {
    volatile sig_atomic_t active;
    int terminal;
    struct termios modes;
    char bytes[512];
    size_t count;
    struct sigaction former[NSIG];
    bool is_guarded[NSIG];
} guard;

// A process in the background has no screen, and its shell has the terminal.
static bool is_in_background(void) {
    pid_t foreground = tcgetpgrp(guard.terminal);
    return foreground >= 0 && foreground != getpgrp();
}

static void restore(void) {
    if (!guard.active) {
        return;
    }
    guard.active = false;
    if (is_in_background()) {
        return;
    }
    ssize_t written = write(guard.terminal, guard.bytes, guard.count);
    (void)written;
    tcsetattr(guard.terminal, TCSANOW, &guard.modes);
}

static void ending(int signal, siginfo_t *info, void *context) {
    (void)context;
    int saved = errno;
    restore();
    bool is_fault = busd_reports_bug(signal) && info->si_code > 0 && info->si_code != SI_KERNEL;
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(signal, is_fault ? &guard.former[signal] : &standard, NULL);
    // A fault repeats as soon as this returns; a signal that was sent does not.
    if (!is_fault) {
        raise(signal);
    }
    errno = saved;
}

// Reads the former action. A signal with a handler does not end the process, unless it is one of those that
// Swift reports.
static bool must_guard(int signal) {
    struct sigaction *former = &guard.former[signal];
    if (!busd_ends_process(signal) || sigaction(signal, NULL, former) != 0) {
        return false;
    }
    bool is_reported = busd_reports_bug(signal) || signal == SIGQUIT;
    return former->sa_handler == SIG_DFL || (is_reported && former->sa_handler != SIG_IGN);
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
    struct sigaction action = {.sa_sigaction = ending, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    guard.active = true;
    for (int signal = 1; signal < NSIG; signal++) {
        guard.is_guarded[signal] = must_guard(signal) && sigaction(signal, &action, NULL) == 0;
    }
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
    for (int signal = 1; signal < NSIG; signal++) {
        if (guard.is_guarded[signal]) {
            sigaction(signal, &guard.former[signal], NULL);
        }
    }
}
