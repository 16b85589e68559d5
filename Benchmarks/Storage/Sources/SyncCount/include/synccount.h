#ifndef SYNCCOUNT_H
#define SYNCCOUNT_H

/* To be loaded into a program ahead of the C library (LD_PRELOAD): counts its calls of fdatasync, as eight
   bytes in the file that BENCH_SYNCS names, where another process can read them. */

#endif
