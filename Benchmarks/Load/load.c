#define _GNU_SOURCE
#include "load.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 512, STILL_MILLISECONDS = 60, TIMEOUT_MILLISECONDS = 1000 };

struct load {
    struct load_plan plan;
    int epoll;
    int publisher;
    int *subscribers;
    int turn;       // index of the next event
    uint8_t *lines; // bytes to publish that the server's socket has not accepted yet
    size_t start, end;
    long sent;      // events
    long received;  // line feeds
};

static uint8_t scratch[1 << 18];

uint64_t load_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

uint64_t load_cpu_of(pid_t process) {
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void load_pin(pid_t process, int core) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(core, &cores);
    sched_setaffinity(process, sizeof cores, &cores);
}

// MARK: Connections

static int send_all(int socket, struct load_bytes what) {
    while (what.count > 0) {
        ssize_t count = send(socket, what.start, what.count, MSG_NOSIGNAL);
        if (count < 0) return -1;
        what.start += count;
        what.count -= (size_t)count;
    }
    return 0;
}

static int connect_to(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    int socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket_ >= 0 && connect(socket_, (struct sockaddr *)&address, sizeof address) != 0) {
        close(socket_);
        return -1;
    }
    return socket_;
}

static int watch(struct load *load, int socket, int is_subscriber) {
    struct epoll_event event = {
        .events = EPOLLIN, .data.u64 = (uint64_t)is_subscriber << 32 | (uint32_t)socket};
    return epoll_ctl(load->epoll, EPOLL_CTL_ADD, socket, &event);
}

// Reads from all sockets that are ready. Returns their number; 0: timed out; -1: a connection ended.
static int receive(struct load *load, int milliseconds) {
    static struct epoll_event ready[BATCH];
    int count = epoll_wait(load->epoll, ready, BATCH, milliseconds);
    for (int index = 0; index < count; index++) {
        ssize_t length = read((int)(uint32_t)ready[index].data.u64, scratch, sizeof scratch);
        if (length <= 0) {
            errno = length == 0 ? ECONNRESET : errno;
            return -1;
        }
        if (ready[index].data.u64 >> 32 == 0) continue;
        const uint8_t *at = scratch, *end = scratch + length;
        while ((at = memchr(at, '\n', (size_t)(end - at)))) {
            load->received++;
            at++;
        }
    }
    return count;
}

static int settle(struct load *load) {
    int count;
    do count = receive(load, STILL_MILLISECONDS);
    while (count > 0);
    load->sent = load->received = 0;
    return count;
}

struct load *load_open(const struct load_plan *plan) {
    struct load *load = calloc(1, sizeof *load);
    load->plan = *plan;
    for (int turn = 0; turn < 2; turn++) {
        struct load_bytes *event = &load->plan.publish[turn];
        event->start = memcpy(malloc(event->count), event->start, event->count);
    }
    load->epoll = epoll_create1(EPOLL_CLOEXEC);
    load->subscribers = calloc((size_t)plan->subscribers + 1, sizeof(int));
    for (int index = 0; index <= plan->subscribers; index++) {
        int is_publisher = index == plan->subscribers;
        int socket = connect_to(plan->socket);
        load->subscribers[index] = socket;
        if (socket < 0 || watch(load, socket, !is_publisher) != 0) return NULL;
        if (send_all(socket, is_publisher ? plan->greet : plan->subscribe) != 0) return NULL;
        // Now and then reads, so the server can accept: its queue of connections must not overflow.
        if (index % 64 == 63 && receive(load, TIMEOUT_MILLISECONDS) < 0) return NULL;
    }
    load->publisher = load->subscribers[plan->subscribers];
    return settle(load) < 0 ? NULL : load;
}

void load_close(struct load *load) {
    for (int index = 0; index <= load->plan.subscribers; index++) close(load->subscribers[index]);
    close(load->epoll);
    for (int turn = 0; turn < 2; turn++) free((void *)load->plan.publish[turn].start);
    free(load->subscribers);
    free(load->lines);
    free(load);
}

// MARK: Measuring

// Sends as much as the socket accepts. It never waits: the server may wait for us to read.
static int flush(struct load *load) {
    while (load->start < load->end) {
        ssize_t count = send(
            load->publisher, load->lines + load->start, load->end - load->start,
            MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0) return errno == EAGAIN ? 0 : -1;
        load->start += (size_t)count;
    }
    load->start = load->end = 0;
    return 0;
}

static int publish(struct load *load, long events) {
    const struct load_bytes *event = load->plan.publish;
    size_t most = event[0].count > event[1].count ? event[0].count : event[1].count;
    load->lines = realloc(load->lines, load->end + most * (size_t)events);
    for (long index = 0; index < events; index++) {
        memcpy(load->lines + load->end, event[load->turn].start, event[load->turn].count);
        load->end += event[load->turn].count;
        load->turn = !load->turn;
    }
    load->sent += events;
    return flush(load);
}

long load_run(struct load *load, int outstanding, double seconds) {
    if (settle(load) < 0) return -1;
    long per_event = (long)load->plan.subscribers * load->plan.marks;
    uint64_t end = load_now() + (uint64_t)(seconds * 1e9);
    int is_over = 0;
    while (!is_over || load->received < load->sent * per_event) {
        long room = outstanding - (load->sent - load->received / per_event);
        if (!is_over && room > 0 && publish(load, room) != 0) return -1;
        if (flush(load) != 0) return -1;
        int count = receive(load, TIMEOUT_MILLISECONDS);
        if (count == 0) errno = ETIMEDOUT;
        if (count <= 0) return -1;
        is_over = load_now() > end;
    }
    return load->sent;
}

int load_round_trips(struct load *load, int count, uint64_t *nanoseconds) {
    if (settle(load) < 0) return -1;
    long per_event = (long)load->plan.subscribers * load->plan.marks;
    for (int index = 0; index < count; index++) {
        uint64_t start = load_now();
        if (publish(load, 1) != 0) return -1;
        while (load->received < load->sent * per_event) {
            int ready = receive(load, TIMEOUT_MILLISECONDS);
            if (ready == 0) errno = ETIMEDOUT;
            if (ready <= 0) return -1;
        }
        nanoseconds[index] = load_now() - start;
    }
    return 0;
}

pid_t load_joiner(const char *socket, struct load_bytes join, size_t answer, int rest) {
    pid_t process = fork();
    if (process != 0) return process;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) {
        int connection = connect_to(socket);
        if (connection < 0 || send_all(connection, join) != 0) _exit(1);
        for (size_t left = answer; left > 0;) {
            ssize_t count = read(connection, scratch, sizeof scratch);
            if (count <= 0) _exit(1);
            left -= (size_t)count < left ? (size_t)count : left;
        }
        close(connection);
        usleep((useconds_t)rest);
    }
}
