/* What the parts of the wrapper share. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* The name that the wrapper is called by. */
extern const char *verb;

/* Prints into `out`, which has room for PATH_MAX; false where it does not fit: a path that was cut would be another one. */
__attribute__((format(printf, 2, 3))) bool spell(char *out, const char *format, ...);

bool begins(const char *text, const char *with);
bool is_one_of(const char *word, const char *const *words);
bool exists(const char *path);

/* The first line of a small file of belay's, without its end; false where there is none. */
bool read_line(const char *path, char *line, size_t size);

/* Whether the turn's capture has all that these arguments can destroy, as it is now; `markers`: this session's folder (captured.c). */
bool is_captured(char **arguments, const char *turn, const char *markers);
