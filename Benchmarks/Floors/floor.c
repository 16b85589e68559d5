// The lowest possible cost of fan-out: each line goes to all clients that have sent "S". The program
// does not parse or change the lines.
//
//     floor line  SOCKET    one write for each delivery
//     floor turn  SOCKET    one write for each subscriber in each turn of the loop

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { MOST = 16384 };

static int subscribers[MOST], count, is_line_by_line;
static char turn[1 << 22];
static size_t length;

static void deliver(const char *bytes, size_t length) {
    for (int index = 0; index < count; index++)
        if (send(subscribers[index], bytes, length, MSG_NOSIGNAL) != (ssize_t)length) {
            perror("floor: a subscriber is gone");
            exit(1);
        }
}

static void take(int socket) {
    ssize_t taken = read(socket, turn + length, 65536);
    if (taken <= 0) {
        close(socket);
        for (int index = 0; index < count; index++)
            if (subscribers[index] == socket) subscribers[index--] = subscribers[--count];
    } else if (turn[length] == 'S') {
        if (count < MOST) subscribers[count++] = socket;
        send(socket, "S\n", 2, MSG_NOSIGNAL);
    } else {
        length += (size_t)taken;
    }
}

static void end_turn(void) {
    if (is_line_by_line) {
        char *start = turn, *end = turn + length, *feed;
        for (; start < end && (feed = memchr(start, '\n', (size_t)(end - start))); start = feed + 1)
            deliver(start, (size_t)(feed + 1 - start));
    } else if (length > 0) {
        deliver(turn, length);
    }
    length = 0;
}

int main(int argc, char **argv) {
    if (argc != 3) return 64;
    is_line_by_line = strcmp(argv[1], "line") == 0;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, argv[2], sizeof address.sun_path - 1);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0), epoll = epoll_create1(0);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 4096)) {
        perror("floor");
        return 1;
    }
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, ready[32];
    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        int found = epoll_wait(epoll, ready, 32, -1);
        for (int index = 0; index < found; index++) {
            int socket = ready[index].data.fd;
            if (socket == listener) {
                event.data.fd = accept(listener, NULL, NULL);
                epoll_ctl(epoll, EPOLL_CTL_ADD, event.data.fd, &event);
            } else {
                take(socket);
            }
        }
        end_turn();
    }
}
