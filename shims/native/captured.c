/*
 * What shims/parts/wrap-captured.sh does: were these operands captured in this turn, and not changed since? What the capture has is marked by
 * src/saving/captured.ts. When in doubt the answer is no.
 */
#include "wrapper.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_OPERANDS = 64 };

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

bool is_captured(char **arguments, const char *turn, const char *markers) {
  static const char *const verbs[] = {"rm", "rmdir", "unlink", "shred", "truncate", "tee", NULL};
  static char operands[MOST_OPERANDS][PATH_MAX];
  char here[PATH_MAX], marks[PATH_MAX], folder[PATH_MAX] = "", mark[PATH_MAX], line[256];
  size_t count = 0;
  bool only_operands = false;
  if (getenv("POSIXLY_CORRECT") != NULL) return false; /* `rm f -x`: an operand */
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
