#pragma once

// What the Glibc of Swift leaves out.
#include <features.h>
#include <sys/epoll.h>
