// The least that changing many files costs: opens each file, runs the statements of a script in one transaction, each
// prepared once, and closes it, with SQLite's defaults. It proves nothing, notes nothing and looks at no row.
//
//     cc -O2 -o fleet-floor fleet-floor.c -lsqlite3
//     fleet-floor SCRIPT LIST [SCRIPT LIST ...]
//
// Each LIST has a path on each line; its files get the statements of the SCRIPT before it.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *content(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *text = malloc((size_t)size + 1);
  if (fread(text, 1, (size_t)size, file) != (size_t)size) exit(1);
  text[size] = 0;
  fclose(file);
  return text;
}

static int change(const char *path, const char *script) {
  sqlite3 *database = NULL;
  int code = sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL);
  if (code == SQLITE_OK) code = sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL);
  while (code == SQLITE_OK && *script) {
    sqlite3_stmt *statement = NULL;
    code = sqlite3_prepare_v2(database, script, -1, &statement, &script);
    if (code != SQLITE_OK || !statement) continue;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    }
    code = sqlite3_finalize(statement);
  }
  if (code == SQLITE_OK) code = sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
  if (code != SQLITE_OK) fprintf(stderr, "%s: %s\n", path, sqlite3_errmsg(database));
  sqlite3_close(database);
  return code == SQLITE_OK;
}

int main(int count, char **arguments) {
  long changed = 0;
  for (int index = 1; index + 1 < count; index += 2) {
    char *script = content(arguments[index]);
    char *list = content(arguments[index + 1]);
    for (char *path = strtok(list, "\n"); path; path = strtok(NULL, "\n")) changed += change(path, script);
    free(script);
    free(list);
  }
  printf("%ld files changed\n", changed);
  return 0;
}
