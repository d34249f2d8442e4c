#define _GNU_SOURCE
#include "FloorStrategies.h"

#include "FloorRecords.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

// Memory, as Linux tells it.

static int64_t status(const char *field) {
  FILE *file = fopen("/proc/self/status", "r");
  if (!file) return -1;
  char line[256];
  long long kibibytes = -1;
  while (fgets(line, sizeof line, file)) {
    if (strncmp(line, field, strlen(field)) == 0) sscanf(line + strlen(field), ": %lld", &kibibytes);
  }
  fclose(file);
  return kibibytes < 0 ? -1 : kibibytes * 1024;
}

int64_t strategies_memory_begin(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  FILE *file = fopen("/proc/self/clear_refs", "w");
  if (!file) return -1;
  int written = fputs("5", file) >= 0;
  if (fclose(file) != 0 || !written) return -1;
  return status("VmRSS");
}

int64_t strategies_memory_peak(void) { return status("VmHWM"); }

// Statements.

enum { MOST = 4096, MOST_RUNNING = 64 };

static strategies_statement statements[MOST];
static size_t statement_count;

static struct {
  sqlite3_stmt *statement;
  int64_t start;
  int64_t cpu;
} running[MOST_RUNNING];

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static strategies_statement *entry(const char *sql) {
  for (size_t i = 0; i < statement_count; i++)
    if (strcmp(statements[i].sql, sql) == 0) return &statements[i];
  if (statement_count == MOST) return NULL;
  char *copy = strdup(sql);
  if (!copy) return NULL;
  strategies_statement *added = &statements[statement_count++];
  *added = (strategies_statement){copy, 0, 0, 0};
  return added;
}

static int traced(unsigned event, void *context, void *statement, void *detail) {
  (void)context;
  if (event == SQLITE_TRACE_STMT) {
    const char *text = detail;
    if (text[0] == '-' && text[1] == '-') return 0;
    for (int i = 0; i < MOST_RUNNING; i++) {
      if (running[i].statement && running[i].statement != statement) continue;
      running[i].statement = statement;
      running[i].cpu = (int64_t)floor_cpu_nanoseconds();
      running[i].start = now();
      return 0;
    }
    return 0;
  }
  for (int i = 0; i < MOST_RUNNING; i++) {
    if (running[i].statement != statement) continue;
    int64_t elapsed = now() - running[i].start;
    int64_t cpu = (int64_t)floor_cpu_nanoseconds() - running[i].cpu;
    running[i].statement = NULL;
    const char *sql = sqlite3_sql(statement);
    strategies_statement *found = entry(sql ? sql : "");
    if (!found) return 0;
    found->runs += 1;
    found->nanoseconds += elapsed;
    found->cpu_nanoseconds += cpu;
    return 0;
  }
  return 0;
}

static int follow(sqlite3 *db, char **message, const void *api) {
  (void)message;
  (void)api;
  return sqlite3_trace_v2(db, SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE, traced, NULL);
}

void strategies_trace_begin(void) {
  while (statement_count > 0) free((char *)statements[--statement_count].sql);
  memset(running, 0, sizeof running);
  sqlite3_auto_extension((void (*)(void))follow);
}

void strategies_trace_end(void) { sqlite3_cancel_auto_extension((void (*)(void))follow); }

const strategies_statement *strategies_trace_statements(size_t *count) {
  *count = statement_count;
  return statements;
}
