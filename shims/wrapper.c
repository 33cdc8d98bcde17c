/*
 * The wrappers of shims/bin as a program, for Linux: what a shell takes a millisecond and a half for. It finds the real program and
 * becomes it at once where nothing can be lost, as shims/parts/wrap.sh and wrap-captured.sh do, which say why each step is as it is.
 * Whatever is not plainly so is left to the script of the same name in shims/script, and where no C compiler was there when belay was
 * built, all of it is. Nothing is written, no memory is asked for, and the environment is left as it is.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_OPERANDS = 64 };

static char script[PATH_MAX];  /* what does the rest */
static char program[PATH_MAX]; /* the real one */
static char markers[PATH_MAX]; /* of this session */
static const char *verb;

/* Prints into `out`, which has room for PATH_MAX; false where it does not fit: a path that was cut would be another one. */
__attribute__((format(printf, 2, 3))) static bool spell(char *out, const char *format, ...) {
  va_list parts;
  va_start(parts, format);
  const int length = vsnprintf(out, PATH_MAX, format, parts);
  va_end(parts);
  return length > 0 && length < PATH_MAX;
}

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

static bool is_one_of(const char *word, const char *const *words) {
  for (; *words != NULL; words++)
    if (strcmp(word, *words) == 0) return true;
  return false;
}

static bool exists(const char *path) {
  struct stat entry;
  return stat(path, &entry) == 0;
}

static const char *given(const char *name) {
  const char *value = getenv(name);
  return value != NULL && value[0] != '\0' ? value : NULL;
}

/* Our own, and not a link that somebody made. */
static bool is_own_folder(const char *path) {
  struct stat entry;
  return lstat(path, &entry) == 0 && S_ISDIR(entry.st_mode) && entry.st_uid == geteuid();
}

/* Sets script for the wrapper PREFIX/lib/belay/shims/bin/VERB by the path it was called by: one that is reached through a link keeps its name. */
static bool find_script(const char *self) {
  static const char bin[] = "/bin";
  const char *name = strrchr(self, '/');
  const char *folder = name == NULL ? NULL : name - (sizeof bin - 1);
  if (folder == NULL || folder < self || strncmp(folder, bin, sizeof bin - 1) != 0) return false;
  return spell(script, "%.*s/script%s", (int)(folder - self), self, name) && access(script, X_OK) == 0;
}

/* Sets verb, and script where it is there. */
static void find_self(const char *called) {
  static char self[PATH_MAX], here[PATH_MAX];
  const char *path = (const char *)getauxval(AT_EXECFN);
  if (path == NULL) path = called;
  verb = strrchr(path, '/') == NULL ? path : strrchr(path, '/') + 1;
  if (path[0] == '/' && find_script(path)) return;
  if (path[0] != '/' && getcwd(here, sizeof here) != NULL && spell(self, "%s/%s", here, path) && find_script(self)) return;
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length > 0) self[length] = '\0';
  if (length > 0 && find_script(self)) verb = strrchr(script, '/') + 1;
  else script[0] = '\0';
}

/* Where it is usual for a program to lie; one elsewhere may be somebody's wrapper, which may come back here. */
static bool is_of_system(const char *folder) {
  static const char *const folders[] = {"/bin", "/usr/bin", "/sbin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin", NULL};
  return is_one_of(folder, folders);
}

/* Where one process went through so many programs that may be somebody's wrappers, each started by the one before. */
enum { MOST_NESTED = 32 };

/* Sets program, and what BELAY_WRAPPED has to be in it: empty, or this process, how deep it is, and the program. */
static bool find_program(char *back) {
  const char *rest = getenv("PATH"), *wrapped = getenv("BELAY_WRAPPED");
  char folder[PATH_MAX], mark[PATH_MAX];
  struct stat entry;
  long process = 0, depth = 0;
  int before = 0;
  if (wrapped == NULL || sscanf(wrapped, "%ld:%ld:%n", &process, &depth, &before) != 2 || before == 0) wrapped = NULL;
  for (const char *end; rest != NULL; rest = *end == ':' ? end + 1 : NULL) {
    end = strchrnul(rest, ':');
    const bool is_here = end == rest;
    if (!spell(folder, "%.*s", is_here ? 1 : (int)(end - rest), is_here ? "." : rest)) continue;
    if (!spell(mark, "%s/.belay", folder) || !spell(program, "%s/%s", folder, verb)) continue;
    if (faccessat(AT_FDCWD, program, X_OK, AT_EACCESS) != 0 || exists(mark)) continue;
    if (stat(program, &entry) != 0 || S_ISDIR(entry.st_mode)) continue;
    const bool came_back = process == getpid() || depth >= MOST_NESTED;
    if (wrapped != NULL && came_back && strcmp(wrapped + before, program) == 0) continue;
    back[0] = '\0';
    return is_of_system(folder) || spell(back, "%ld:%ld:%s", (long)getpid(), depth + 1, program);
  }
  program[0] = '\0';
  return false;
}

/* The commonest git commands that only read, as in shims/bin/git: none of these arguments names a file to write or a program to run. */
static bool only_reads(char **arguments) {
  static const char *const reading[] = {"status", "log", "show", "diff", "rev-parse", "ls-files", "blame", NULL};
  if (strcmp(verb, "git") != 0 || arguments[0] == NULL || !is_one_of(arguments[0], reading)) return false;
  for (; *arguments != NULL; arguments++)
    if (begins(*arguments, "--ou") || begins(*arguments, "--ext") || begins(*arguments, "-O") || begins(*arguments, "-o")) return false;
  return true;
}

static bool find_markers(const char *session) {
  const char *runtime = given("XDG_RUNTIME_DIR");
  char parent[PATH_MAX];
  if (runtime != NULL && runtime[0] == '/' && is_own_folder(runtime)) {
    if (!spell(parent, "%s/belay", runtime)) return false;
  } else if (!spell(parent, "/tmp/belay-%lu", (unsigned long)geteuid())) {
    return false;
  }
  return is_own_folder(parent) && spell(markers, "%s/%s", parent, session) && exists(markers);
}

/* The first line of a small file of belay's, without its end; false where there is none. */
static bool read_line(const char *path, char *line, size_t size) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t length = read(file, line, size - 1);
  close(file);
  if (length <= 0) return false;
  line[length] = '\0';
  char *end = strchr(line, '\n');
  if (end == NULL) return false;
  *end = '\0';
  return true;
}

static bool turn_is_whole(const char *turn) {
  char path[PATH_MAX], line[256];
  return spell(path, "%s/whole", markers) && read_line(path, line, sizeof line) && strcmp(line, turn) == 0;
}

/* The folder that arguments are relative to, as the shell calls it where it is that one. */
static bool find_here(char *here) {
  const char *named = getenv("PWD");
  struct stat one, other;
  if (named != NULL && named[0] == '/' && stat(named, &one) == 0 && stat(".", &other) == 0 && one.st_dev == other.st_dev &&
      one.st_ino == other.st_ino)
    return spell(here, "%s", named);
  return getcwd(here, PATH_MAX) != NULL;
}

static long long nanoseconds(const struct timespec *time) { return time->tv_sec * 1000000000LL + time->tv_nsec; }

static unsigned long long mount_of(const char *path) {
  struct statx entry;
  return statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_MNT_ID, &entry) == 0 && entry.stx_mask & STATX_MNT_ID ? entry.stx_mnt_id : 0;
}

static long long limit;
static unsigned long long mount;

static int is_other(const char *path, const struct stat *entry, int kind, struct FTW *place) {
  (void)place;
  return kind == FTW_DNR || kind == FTW_NS || nanoseconds(&entry->st_ctim) > limit || mount_of(path) != mount;
}

/* Whether nothing in the entry was changed after that time, nanoseconds since 1970, and nothing was mounted there. */
static bool is_as_then(const char *path, long long since) {
  limit = since;
  return nftw(path, is_other, 16, FTW_PHYS) == 0;
}

/* The folder is still the one that was captured: its mount and inode are those of the mark (src/saving/captured.ts). */
static bool is_folder(const char *path, const char *name) {
  struct statx entry;
  char is[64];
  const unsigned int wanted = STATX_INO | STATX_MNT_ID;
  if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, wanted, &entry) != 0 || (entry.stx_mask & wanted) != wanted) return false;
  mount = entry.stx_mnt_id;
  snprintf(is, sizeof is, ":%llu:%llu", mount, (unsigned long long)entry.stx_ino);
  return strcmp(is, name) == 0;
}

enum operand { NOT_CAPTURED, NOT_THERE, THERE };

/* One operand: `path` becomes absolute. `folder` is that of all operands, empty at the first. */
static enum operand look_at(const char *word, const char *here, const char *marks, char *path, char *folder) {
  static const char *const removing[] = {"rm", "rmdir", "unlink", NULL};
  char mark[PATH_MAX];
  struct stat entry;
  if (begins(word, "./") && *(word += 2) == '/') return NOT_CAPTURED; /* `.//f` is no absolute path */
  if (word[0] == '\0') return NOT_CAPTURED;
  const bool is_absolute = word[0] == '/';
  const char *base = is_absolute || strcmp(here, "/") == 0 ? "" : here;
  if (!spell(path, "%s%s%s", base, is_absolute ? "" : "/", word)) return NOT_CAPTURED;
  size_t length = strlen(path);
  const bool as_folder = path[length - 1] == '/';
  if (as_folder) path[--length] = '\0';
  if (length == 0 || !spell(mark, "%s/", path) || strstr(mark, "//") || strstr(mark, "/./") || strstr(mark, "/../")) return NOT_CAPTURED;
  const size_t parent = (size_t)(strrchr(path, '/') - path);
  if (folder[0] == '\0' && !spell(folder, "%.*s", (int)parent, path)) return NOT_CAPTURED; /* in `/` itself */
  if (strlen(folder) != parent || strncmp(folder, path, parent) != 0) return NOT_CAPTURED;
  if (lstat(path, &entry) != 0) return errno == ENOENT && is_one_of(verb, removing) ? NOT_THERE : NOT_CAPTURED;
  if (S_ISLNK(entry.st_mode) && (as_folder || !(strcmp(verb, "rm") == 0 || strcmp(verb, "unlink") == 0))) return NOT_CAPTURED;
  if (S_ISDIR(entry.st_mode)) {
    if (strcmp(verb, "rm") != 0 && strcmp(verb, "rmdir") != 0) return NOT_CAPTURED;
    if (!spell(mark, "%s/in%s/since", marks, path) || !exists(mark)) return NOT_CAPTURED;
  }
  return spell(mark, "%s/out%s", marks, path) && !exists(mark) ? THERE : NOT_CAPTURED;
}

/* Whether the turn's capture has all that these arguments can destroy, as it is now. */
static bool is_captured(char **arguments, const char *turn) {
  static const char *const verbs[] = {"rm", "rmdir", "unlink", "shred", "truncate", "tee", NULL};
  static char operands[MOST_OPERANDS][PATH_MAX];
  char here[PATH_MAX], marks[PATH_MAX], folder[PATH_MAX] = "", mark[PATH_MAX], line[256];
  size_t count = 0;
  bool only_operands = false;
  if (!is_one_of(verb, verbs) || !find_here(here)) return false;
  if (!spell(marks, "%s/captured/%s", markers, turn) || !exists(marks)) return false;
  const bool has_numbers = strcmp(verb, "shred") == 0 || strcmp(verb, "truncate") == 0;
  for (; *arguments != NULL; arguments++) {
    const char *word = *arguments;
    if (!only_operands && word[0] == '-' && word[1] != '\0') {
      if (strcmp(word, "--") == 0) only_operands = true;
      else if (strcmp(verb, "truncate") == 0 && (begins(word, "--reference") || begins(word, "-r"))) return false;
      else if (has_numbers && (strcmp(word, "-s") == 0 || strcmp(word, "-n") == 0 || strcmp(word, "-i") == 0) && *++arguments == NULL) return false;
      continue;
    }
    if (count == MOST_OPERANDS) return false;
    const enum operand is = look_at(word, here, marks, operands[count], folder);
    if (is == NOT_CAPTURED) return false;
    if (is == THERE) count++;
  }
  if (count == 0) return true;
  if (!spell(mark, "%s/in%s/since", marks, folder) || !read_line(mark, line, sizeof line)) return false;
  char *time = strchr(line, ' '), *end;
  if (time == NULL) return false;
  *time++ = '\0';
  const long long since = strtoll(time, &end, 10);
  if (end == time || *end != '\0' || !is_folder(folder, line)) return false;
  while (count > 0)
    if (!is_as_then(operands[--count], since)) return false;
  return true;
}

/* Whether the program may run as it is. */
static bool may_become(char **arguments) {
  if (given("BELAY_DISABLE") || given("BELAY_SAVING") || only_reads(arguments)) return true;
  const char *session = given("BELAY_SESSION"), *turn = given("BELAY_TURN");
  return session != NULL && turn != NULL && find_markers(session) && (turn_is_whole(turn) || is_captured(arguments, turn));
}

/* Comes back only where the kernel cannot run it, as a text without a first line: a shell knows what to do with that. */
static void become(char **argv, const char *back) {
  char *called = argv[0];
  const char *before = getenv("BELAY_WRAPPED");
  if (strchr(called, '/') != NULL) argv[0] = (char *)verb;
  if (back[0] == '\0' || setenv("BELAY_WRAPPED", back, 1) == 0) execv(program, argv);
  if (before == NULL) unsetenv("BELAY_WRAPPED");
  else setenv("BELAY_WRAPPED", before, 1);
  argv[0] = called;
}

int main(int argc, char **argv) {
  static char back[PATH_MAX];
  if (argc < 1) return 126;
  find_self(argv[0]);
  const bool found = find_program(back);
  if (found && may_become(argv + 1)) become(argv, back);
  char *called = argv[0];
  argv[0] = script;
  if (script[0] != '\0') execv(script, argv);
  /* Without what saves, the program runs all the same. */
  argv[0] = called;
  if (found) become(argv, back);
  fprintf(stderr, "%s: %s\n", verb, found ? strerror(errno) : "command not found");
  return found ? 126 : 127;
}
