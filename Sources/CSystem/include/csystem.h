// Functions that Swift's Glibc module lacks, because it is built without _GNU_SOURCE, and mutable
// globals. Plain prototypes only: no header that depends on a feature macro.
#pragma once

#include <getopt.h>
#include <sys/types.h>

/// accept4(2), non-blocking and close-on-exec. The new descriptor, or -1 and errno.
int busd_accept(int listening);

/// The peer, as the kernel recorded it at connect(2). 0, or -1 and errno.
int busd_peer_credentials(int socket, pid_t *pid, uid_t *uid, gid_t *gid);

/// The supplementary groups of the peer, as the kernel recorded them at connect(2). `count` is the room in
/// `groups`, and then their number. 0, or -1 and errno; ERANGE: there are more, and `count` is how many.
int busd_peer_groups(int socket, gid_t *groups, unsigned *count);

/// 1 if the process ignores the signal.
int busd_is_ignored(int signal);

/// 1 if the default action of the signal ends the process, and the process can change this action.
int busd_ends_process(int signal);

/// 1 for the signals of a bug, such as a bad address or abort(3).
int busd_reports_bug(int signal);

/// eventfd(2), non-blocking and close-on-exec. The descriptor, or -1 and errno.
int busd_eventfd(void);

/// malloc_trim(3): returns unused memory to the system, all but `pad` bytes at the end.
int malloc_trim(size_t pad);

/// mallopt(3): allocations of at least this many bytes go back to the system as soon as they are freed.
void busd_give_back_from(int bytes);

/// mallinfo2(3): the number of allocated bytes.
size_t busd_memory_in_use(void);

/// Writes what stdio has buffered. 0, or the error of this or of an earlier write.
int busd_flush_output(void);

/// The environment of this process, for a program that it starts.
char **busd_environment(void);

/// Starts a program, found in PATH, with `stream` as its standard input and output and `errors` as its
/// standard error. It gets SIGTERM when the calling thread ends for any reason. If `detached`, it has a
/// session of its own, so it has no terminal to ask questions on. The process id, or -1 and errno.
pid_t busd_start(char *const words[], int stream, int errors, int detached);

/// The number of words in the command line of this process, its name included: 0 if execve(2) was
/// given none.
int busd_argument_count(void);

/// A word of the command line, from 0; null if there is none. The pointer stays valid.
const char *busd_argument(int index);

/// Makes getopt_long(3) start again, and print nothing.
void busd_getopt_reset(void);

/// `optarg`: the argument of the option that was just returned, or null.
const char *busd_optarg(void);

/// `optind`: the index of the next element of argv.
int busd_optind(void);

/// `optopt`: the value of the option that was refused; 0 for an unknown long option.
int busd_optopt(void);
