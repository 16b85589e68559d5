#pragma once

// Swift's Glibc module does not contain epoll.
#include <features.h>
#include <sys/epoll.h>
