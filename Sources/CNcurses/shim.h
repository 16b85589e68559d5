// <features.h> comes first: see CLibevent. The declarations below the header are for what Swift cannot
// see: macros with casts, and mutable globals.
#pragma once

#include <features.h>
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>

// From <term.h>, which also defines a macro for every capability.
char *tigetstr(const char *capability);

static inline WINDOW *busd_stdscr(void) { return stdscr; }
static inline WINDOW *busd_curscr(void) { return curscr; }
static inline FILE *busd_stdin(void) { return stdin; }
static inline FILE *busd_stdout(void) { return stdout; }
static inline int busd_colors(void) { return COLORS; }

static const attr_t busd_A_NORMAL = A_NORMAL;
static const attr_t busd_A_BOLD = A_BOLD;
static const attr_t busd_A_DIM = A_DIM;
static const attr_t busd_A_REVERSE = A_REVERSE;
static const attr_t busd_A_UNDERLINE = A_UNDERLINE;

static const mmask_t busd_ALL_MOUSE_EVENTS = ALL_MOUSE_EVENTS;
static const mmask_t busd_BUTTON1_PRESSED = BUTTON1_PRESSED;
static const mmask_t busd_BUTTON4_PRESSED = BUTTON4_PRESSED;
static const mmask_t busd_BUTTON5_PRESSED = BUTTON5_PRESSED;
