/*
 * The wrappers of shims/bin as a program, for Linux: what a shell takes a millisecond and a half for. It finds the real program and
 * becomes it at once where nothing can be lost, as shims/parts/wrap.sh and wrap-captured.sh do, which say why each step is as it is.
 * Whatever is not plainly so is left to the script of the same name in shims/script, and where no C compiler was there when belay was
 * built, all of it is. Nothing is written; of the environment BELAY_WRAPPED alone is set, for a program that may be somebody's own wrapper.
 */
#include "wrapper.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

static char script[PATH_MAX];  /* what does the rest */
static char program[PATH_MAX]; /* the real one */
static char markers[PATH_MAX]; /* of this session */
const char *verb;

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

/* So often a program may start itself through its wrapper: a text, which may be somebody's own wrapper, and any other. */
enum { MOST_OF_TEXT = 3, MOST_OF_PROGRAM = 100 };

/* Whether that process runs the text still: one that became the program it stands for is no round of a loop. */
static bool still_runs(long process, const char *text) {
  char path[PATH_MAX], words[2 * PATH_MAX];
  const int file = spell(path, "/proc/%ld/cmdline", process) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  const ssize_t length = file < 0 ? -1 : read(file, words, sizeof words - 1);
  if (file >= 0) close(file);
  if (length <= 0) return false;
  words[length] = '\0';
  for (const char *word = words; word < words + length; word += strlen(word) + 1)
    if (strcmp(word, text) == 0) return true;
  return false;
}

/* Whether this process was that program before, or so many that it descends from: `wrapped` names each, PROCESS:PROGRAM:PROCESS:PROGRAM. */
static bool came_back(const char *wrapped, const char *path) {
  const size_t length = strlen(path);
  int rounds = 0, all = 0;
  while (wrapped != NULL) {
    const long process = strtol(wrapped, NULL, 10);
    if ((wrapped = strchr(wrapped, ':')) == NULL) break;
    wrapped++;
    if (strncmp(wrapped, path, length) == 0 && (wrapped[length] == ':' || wrapped[length] == '\0')) {
      if (process == getpid()) return true;
      all++;
      if (still_runs(process, path)) rounds++;
    }
    if ((wrapped = strchr(wrapped, ':')) != NULL) wrapped++;
  }
  return rounds >= MOST_OF_TEXT || all >= MOST_OF_PROGRAM;
}

/* A bash looks `~` in PATH up as the home folder, other shells as a name; posix mode, too, which nobody can see from here. */
static bool is_from_bash(void) {
  char exe[64], shell[PATH_MAX];
  if (snprintf(exe, sizeof exe, "/proc/%ld/exe", (long)getppid()) >= (int)sizeof exe) return false;
  const ssize_t length = readlink(exe, shell, sizeof shell - 1);
  if (length <= 0) return false;
  shell[length] = '\0';
  const char *name = strrchr(shell, '/');
  return name != NULL && strcmp(name, "/bash") == 0;
}

static bool enter_home(char *folder) {
  char in_home[PATH_MAX];
  const char *home = given("HOME");
  if (folder[0] != '~' || (folder[1] != '\0' && folder[1] != '/') || home == NULL || !is_from_bash()) return true;
  return spell(in_home, "%s%s", home, folder + 1) && spell(folder, "%s", in_home);
}

/* Sets program; `of_system`: it lies where it is usual, and is nobody's wrapper. */
static bool find_program(bool *of_system) {
  const char *rest = getenv("PATH"), *wrapped = given("BELAY_WRAPPED");
  char folder[PATH_MAX], mark[PATH_MAX];
  struct stat entry;
  for (const char *end; rest != NULL; rest = *end == ':' ? end + 1 : NULL) {
    end = strchrnul(rest, ':');
    const bool is_here = end == rest;
    if (!spell(folder, "%.*s", is_here ? 1 : (int)(end - rest), is_here ? "." : rest)) continue;
    if (!enter_home(folder)) continue;
    if (!spell(mark, "%s/.belay", folder) || !spell(program, "%s/%s", folder, verb)) continue;
    if (faccessat(AT_FDCWD, program, X_OK, AT_EACCESS) != 0 || exists(mark)) continue;
    if (stat(program, &entry) != 0 || S_ISDIR(entry.st_mode)) continue;
    *of_system = is_of_system(folder);
    if (!*of_system && came_back(wrapped, program)) continue;
    return true;
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

static bool turn_is_whole(const char *turn) {
  char path[PATH_MAX], line[256];
  return spell(path, "%s/whole", markers) && read_line(path, line, sizeof line) && strcmp(line, turn) == 0;
}

/* Whether the program may run as it is. */
static bool may_become(char **arguments) {
  if (given("BELAY_DISABLE") || given("BELAY_SAVING") || only_reads(arguments)) return true;
  const char *session = given("BELAY_SESSION"), *turn = given("BELAY_TURN");
  return session != NULL && turn != NULL && find_markers(session) && (turn_is_whole(turn) || is_captured(arguments, turn, markers));
}

/* Comes back only where the kernel cannot run it, as a text without a first line: a shell knows what to do with that. */
static void become(char **argv, bool of_system) {
  char *called = argv[0], *wrapped = NULL;
  const char *before = getenv("BELAY_WRAPPED");
  if (strchr(called, '/') != NULL) argv[0] = (char *)verb;
  const char *between = given("BELAY_WRAPPED") ? ":" : "";
  if (of_system || (asprintf(&wrapped, "%s%s%ld:%s", before == NULL ? "" : before, between, (long)getpid(), program) > 0 &&
                    setenv("BELAY_WRAPPED", wrapped, 1) == 0))
    execv(program, argv);
  if (before == NULL) unsetenv("BELAY_WRAPPED");
  else setenv("BELAY_WRAPPED", before, 1);
  free(wrapped);
  argv[0] = called;
}

int main(int argc, char **argv) {
  bool of_system = false;
  if (argc < 1) return 126;
  find_self(argv[0]);
  const bool found = find_program(&of_system);
  if (found && may_become(argv + 1)) become(argv, of_system);
  char *called = argv[0];
  argv[0] = script;
  if (script[0] != '\0') execv(script, argv);
  /* Without what saves, the program runs all the same. */
  argv[0] = called;
  if (found) become(argv, of_system);
  fprintf(stderr, "%s: %s\n", verb, found ? strerror(errno) : "command not found");
  return found ? 126 : 127;
}
