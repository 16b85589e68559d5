#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// One publisher and its subscribers on the Unix socket of a server, in one epoll. Requests are given as
// bytes, so one loop measures all servers alike. Deliveries are counted by their line feeds.

struct load_bytes {
    const uint8_t *start;
    size_t count;
};

struct load_plan {
    const char *socket;
    int subscribers;
    struct load_bytes subscribe;  // the first bytes of each subscriber
    struct load_bytes greet;      // the first bytes of the publisher
    struct load_bytes publish[2]; // the publisher's request for an event: both in turn
    int marks;                    // line feeds that a subscriber receives for one event
};

struct load;

// Connects all clients, and waits until no more bytes arrive. NULL, with errno: a connection failed.
struct load *load_open(const struct load_plan *plan);
void load_close(struct load *load);

// Publishes with so many events outstanding. Returns the number of events that all subscribers received;
// -1, with errno: the server closed a connection, or a second passed without a delivery.
long load_run(struct load *load, int outstanding, double seconds);

// Publishes events one by one. For each: nanoseconds until the last subscriber has it. Returns 0 or -1.
int load_round_trips(struct load *load, int count, uint64_t *nanoseconds);

// Starts a process that joins, reads so many bytes, leaves and rests, until it is killed.
pid_t load_joiner(const char *socket, struct load_bytes join, size_t answer, int rest_microseconds);

// Nanoseconds: the processor time of a process; monotonic time.
uint64_t load_cpu_of(pid_t process);
uint64_t load_now(void);
// Binds a process to a core; 0 is the calling thread. A core that does not exist is ignored.
void load_pin(pid_t process, int core);
