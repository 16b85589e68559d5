#ifndef SYNCCOUNT_H
#define SYNCCOUNT_H

/* Counts the calls of fdatasync of a program. Load it ahead of the C library (LD_PRELOAD). The count is
   eight bytes in the file that BENCH_SYNCS names, so another process can read it. */

#endif
