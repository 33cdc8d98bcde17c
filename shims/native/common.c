#include "wrapper.h"
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool spell(char *out, const char *format, ...) {
  va_list parts;
  va_start(parts, format);
  const int length = vsnprintf(out, PATH_MAX, format, parts);
  va_end(parts);
  return length > 0 && length < PATH_MAX;
}

bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

bool is_one_of(const char *word, const char *const *words) {
  for (; *words != NULL; words++)
    if (strcmp(word, *words) == 0) return true;
  return false;
}

bool exists(const char *path) {
  struct stat entry;
  return stat(path, &entry) == 0;
}

bool read_line(const char *path, char *line, size_t size) {
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
