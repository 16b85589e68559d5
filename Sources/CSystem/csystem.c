#define _GNU_SOURCE
#include "csystem.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int busd_accept(int listening) {
    return accept4(listening, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int busd_peer_credentials(int socket, pid_t *pid, uid_t *uid, gid_t *gid) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) {
        return -1;
    }
    *pid = peer.pid;
    *uid = peer.uid;
    *gid = peer.gid;
    return 0;
}

int busd_peer_groups(int socket, gid_t *groups, unsigned *count) {
    socklen_t size = *count * sizeof *groups;
    int result = getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &size);
    *count = size / sizeof *groups;
    return result;
}

int busd_is_ignored(int signal) {
    struct sigaction action;
    return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

int busd_ends_process(int signal) {
    switch (signal) {
    case SIGKILL: // No process can change its action.
    case SIGSTOP:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
    case SIGCONT:
    case SIGCHLD:
    case SIGURG:
    case SIGWINCH:
        return 0;
    default:
        return signal > 0 && signal < NSIG;
    }
}

int busd_reports_bug(int signal) {
    switch (signal) {
    case SIGILL:
    case SIGTRAP:
    case SIGABRT:
    case SIGBUS:
    case SIGFPE:
    case SIGSEGV:
    case SIGSYS:
        return 1;
    default:
        return 0;
    }
}

int busd_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

void busd_give_back_from(int bytes) { mallopt(M_MMAP_THRESHOLD, bytes); }

// The buffer writes when it is full, too. Such a failure leaves its mark, and errno: no call that succeeds
// changes it.
int busd_flush_output(void) {
    int reason = errno;
    if (fflush(NULL) != 0) {
        return errno;
    }
    return !ferror(stdout) ? 0 : reason != 0 ? reason : EIO;
}

char **busd_environment(void) { return environ; }

size_t busd_memory_in_use(void) {
    struct mallinfo2 memory = mallinfo2();
    return memory.uordblks + memory.hblkhd;
}

// posix_spawn(3) cannot set a signal for the end of the parent. There are only system calls between
// vfork(2) and execvp(3), with all signals blocked, because a handler would change the parent's memory.
pid_t busd_start(char *const words[], int stream, int errors, int detached) {
    sigset_t all, none, former;
    sigfillset(&all);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &all, &former);
    volatile int failure = 0;
    pid_t child = vfork();
    if (child == 0) {
        for (int signal = 1; signal < NSIG; signal++) {
            struct sigaction action;
            if (sigaction(signal, NULL, &action) != 0 || action.sa_handler == SIG_DFL) {
                continue;
            }
            // busd's programs ignore these two for themselves. The child keeps other ignored signals,
            // such as SIGHUP under nohup(1).
            if (action.sa_handler != SIG_IGN || signal == SIGPIPE || signal == SIGXFSZ) {
                struct sigaction standard = {.sa_handler = SIG_DFL};
                sigaction(signal, &standard, NULL);
            }
        }
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (detached) {
            setsid();
        }
        if (dup2(stream, 0) == 0 && dup2(stream, 1) == 1 && dup2(errors, 2) == 2) {
            sigprocmask(SIG_SETMASK, &none, NULL);
            execvp(words[0], words);
        }
        failure = errno;
        _exit(127);
    }
    int problem = child < 0 ? errno : failure;
    sigprocmask(SIG_SETMASK, &former, NULL);
    if (child >= 0 && problem != 0) {
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    errno = problem;
    return problem == 0 ? child : -1;
}

static struct {
    int count;
    char **words;
} command_line;

// Swift's CommandLine reads /proc, which may be missing, and Swift code has no access to the parameters
// of main. glibc passes them to constructors, too.
__attribute__((constructor)) static void keep_command_line(int count, char **words) {
    command_line.count = count;
    command_line.words = words;
}

int busd_argument_count(void) { return command_line.count; }

const char *busd_argument(int index) {
    return index >= 0 && index < command_line.count ? command_line.words[index] : NULL;
}

void busd_getopt_reset(void) {
    optind = 0;
    opterr = 0;
}

const char *busd_optarg(void) { return optarg; }

int busd_optind(void) { return optind; }

int busd_optopt(void) { return optopt; }
