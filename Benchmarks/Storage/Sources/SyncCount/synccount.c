#define _GNU_SOURCE
#include "synccount.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic uint64_t *count;
static int (*next)(int);

__attribute__((constructor)) static void prepare(void) {
    next = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    const char *path = getenv("BENCH_SYNCS");
    int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file < 0) return;
    if (ftruncate(file, sizeof *count) == 0) {
        void *memory = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (memory != MAP_FAILED) count = memory;
    }
    close(file);
}

int fdatasync(int file) {
    if (count) atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
    if (next) return next(file);
    errno = ENOSYS;
    return -1;
}
