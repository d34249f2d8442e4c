#define _GNU_SOURCE
#include "FloorRecords.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

uint64_t floor_hash(uint64_t state, const void *start, size_t length) {
  const unsigned char *bytes = start;
  for (size_t i = 0; i < length; i++) state = (state ^ bytes[i]) * 0x100000001b3ULL;
  return state;
}

const char *floor_library_path(void) {
  // By name, since the address taken here may be that of a trampoline in this program.
  void *step = dlsym(RTLD_DEFAULT, "sqlite3_step");
  Dl_info info;
  return step && dladdr(step, &info) ? info.dli_fname : NULL;
}

const char *floor_compiler(void) { return __VERSION__; }

uint64_t floor_cpu_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void floor_keep_memory(size_t size) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 2047 << 20);
#endif
  enum { CHUNK = 1 << 16 };
  size_t count = size / CHUNK;
  void **chunks = calloc(count, sizeof *chunks);
  if (!chunks) return;
  for (size_t i = 0; i < count; i++)
    if ((chunks[i] = malloc(CHUNK))) memset(chunks[i], 1, CHUNK);
  while (count-- > 0) free(chunks[count]);
  free(chunks);
}
