#pragma once

#include <features.h>
#include <sqlite3.h>
// What the Glibc of Swift leaves out.
#include <sys/epoll.h>
