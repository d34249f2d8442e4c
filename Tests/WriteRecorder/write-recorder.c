// Preloaded into a program, notes every file it writes to in WRITE_RECORDER_LOG, and whether what it writes holds the bytes
// of WRITE_RECORDER_MARKER: "clean PATH" or "marked PATH" for each write. Temporary and deleted files are among them.
// After WRITE_RECORDER_KILL writes to files whose name holds WRITE_RECORDER_KILL_IN, it kills the program.
// `make check-cipher` builds it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static ssize_t (*real_write)(int, const void *, size_t);

static void note(int file, const void *bytes, size_t count) {
  static int seen;
  const char *log = getenv("WRITE_RECORDER_LOG"), *marker = getenv("WRITE_RECORDER_MARKER");
  char link[64], path[4096];
  if (!log || !marker) return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t size = readlink(link, path, sizeof path - 1);
  if (size <= 0 || path[0] != '/' || strncmp(path, "/dev/", 5) == 0) return;
  path[size] = 0;
  char line[4200];
  int length = snprintf(
    line, sizeof line, "%s %s\n", memmem(bytes, count, marker, strlen(marker)) ? "marked" : "clean", path);
  int out = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (out >= 0) {
    real_write(out, line, length);
    close(out);
  }
  const char *limit = getenv("WRITE_RECORDER_KILL"), *name = getenv("WRITE_RECORDER_KILL_IN");
  if (limit && name && strstr(path, name) && ++seen >= atoi(limit)) raise(SIGKILL);
}

__attribute__((constructor)) static void find(void) { real_write = dlsym(RTLD_NEXT, "write"); }

ssize_t write(int file, const void *bytes, size_t count) {
  note(file, bytes, count);
  return real_write(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  static ssize_t (*real)(int, const void *, size_t, off_t);
  if (!real) real = dlsym(RTLD_NEXT, "pwrite");
  note(file, bytes, count);
  return real(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  static ssize_t (*real)(int, const void *, size_t, off64_t);
  if (!real) real = dlsym(RTLD_NEXT, "pwrite64");
  note(file, bytes, count);
  return real(file, bytes, count, offset);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  static ssize_t (*real)(int, const struct iovec *, int);
  if (!real) real = dlsym(RTLD_NEXT, "writev");
  for (int i = 0; i < count; i++) note(file, parts[i].iov_base, parts[i].iov_len);
  return real(file, parts, count);
}
