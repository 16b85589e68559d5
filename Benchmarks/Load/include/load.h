#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// One publisher and its subscribers on the Unix socket of some server, in one epoll. What is said is
// given as bytes, so one loop measures all servers alike. A delivery is told by its line feeds.

struct load_bytes {
    const uint8_t *start;
    size_t count;
};

struct load_plan {
    const char *socket;
    int subscribers;
    struct load_bytes subscribe;  // what each subscriber says first
    struct load_bytes greet;      // what the publisher says first
    struct load_bytes publish[2]; // what an event is to the publisher: by turns the one and the other
    int marks;                    // line feeds that a subscriber gets for one event
};

struct load;

// Connects everybody, and waits until all is still. NULL, with errno: a connection failed.
struct load *load_open(const struct load_plan *plan);
void load_close(struct load *load);

// Publishes with so many events outstanding. Returns how many events all have had; -1, with errno:
// the server closed a connection, or a second went by without a delivery.
long load_run(struct load *load, int outstanding, double seconds);

// Publishes one event after the other; nanoseconds until the last subscriber had each. 0 or -1.
int load_round_trips(struct load *load, int count, uint64_t *nanoseconds);

// A process that joins, reads so many bytes, leaves, and rests, until it is killed.
pid_t load_joiner(const char *socket, struct load_bytes join, size_t answer, int rest_microseconds);

// Nanoseconds of processor time that a process has used; of monotonic time.
uint64_t load_cpu_of(pid_t process);
uint64_t load_now(void);
// The calling thread if process is 0. Cores that are not there are ignored.
void load_pin(pid_t process, int core);
