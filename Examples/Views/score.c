// The score of a game, in C with json-c: score [ADDRESS]
//
//     cc -o score score.c $(pkg-config --cflags --libs json-c)
//
// Prints a line after each change. After a lost connection it connects again, and resumes.
#include <json-c/json.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static const char *address = "scoreboard/1";
static char cursor[128], shown[1024], home[256], away[256], score[64];
static int is_finished, is_live;

static struct json_object *get(struct json_object *object, const char *key) {
    struct json_object *value = NULL;
    json_object_object_get_ex(object, key, &value);
    return value;
}

static void copy(char *to, size_t size, struct json_object *text) {
    if (text) {
        snprintf(to, size, "%s", json_object_get_string(text));
    }
}

static void fail(const char *message) {
    fprintf(stderr, "score: %s\n", message);
    exit(1);
}

static void show(void) {
    char line[1024];
    snprintf(line, sizeof line, "%s %s %s%s", home, score, away, is_finished ? "  final" : "");
    if (strcmp(line, shown) != 0) {
        if (puts(line) < 0 || fflush(stdout) != 0) {
            exit(0);
        }
    }
    strcpy(shown, line);
}

static void read_line(struct json_object *line) {
    struct json_object *event = get(line, "event"), *error = get(line, "error");
    if (error) {
        fail(json_object_get_string(get(error, "message")));
    }
    if (get(line, "gone")) {
        fail("the game is gone");
    }
    struct json_object *teams = get(event, "teams"), *finished = get(event, "finished");
    copy(home, sizeof home, get(teams, "home"));
    copy(away, sizeof away, get(teams, "away"));
    copy(score, sizeof score, get(get(event, "score"), "text"));
    if (finished) {
        is_finished = json_object_get_boolean(get(finished, "isFinished"));
    }
    char *colon = strchr(cursor, ':');
    if (event && colon && !get(line, "snapshot")) {
        snprintf(colon, cursor + sizeof cursor - colon, ":%lld",
                 (long long)json_object_get_int64(get(line, "seq")));
    }
    if (get(line, "gap")) {
        is_live = 0;
    }
    if (get(line, "live")) {
        copy(cursor, sizeof cursor, get(line, "cursor"));
        is_live = 1;
    }
    // An update may have several events: all but the last have `more`.
    if (is_live && !get(line, "more")) {
        show();
    }
}

// Reads until the daemon closes the connection.
static void follow(FILE *bus) {
    const char *start = "{\"op\":\"subscribe\",\"to\":\"%s\",\"as\":\"score\","
                        "\"only\":[\"teams\",\"score\",\"finished\"]%s%s%s}\n";
    fprintf(bus, start, address, *cursor ? ",\"since\":\"" : "", cursor, *cursor ? "\"" : "");
    fflush(bus);
    is_live = 0;
    char *text = NULL;
    size_t size = 0;
    while (getline(&text, &size, bus) > 0) {
        struct json_object *line = json_tokener_parse(text);
        read_line(line);
        json_object_put(line);
    }
    free(text);
}

int main(int count, char **words) {
    const char *path = getenv("BUSD_SOCKET"), *folder = getenv("XDG_RUNTIME_DIR");
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    snprintf(name.sun_path, sizeof name.sun_path, "%s/busd/busd.sock", folder ? folder : "");
    if (path || access(name.sun_path, F_OK) != 0) {
        snprintf(name.sun_path, sizeof name.sun_path, "%s", path ? path : "/run/busd/busd.sock");
    }
    if (count > 1) {
        address = words[1];
    }
    signal(SIGPIPE, SIG_IGN);
    for (;;) {
        int bus = socket(AF_UNIX, SOCK_STREAM, 0);
        if (connect(bus, (struct sockaddr *)&name, sizeof name) == 0) {
            FILE *file = fdopen(bus, "r+");
            follow(file);
            fclose(file);
        } else {
            close(bus);
        }
        nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    }
}
