#pragma once

/// Gives the calling thread a copy of the descriptor table, which no other thread uses or changes. 0, or -1
/// and errno.
int own_descriptors(void);
