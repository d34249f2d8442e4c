// The least that changing many files costs: opens each file, runs the statements of a script in one transaction, each
// prepared once, and closes it, with SQLite's defaults. It proves nothing, notes nothing and looks at no row.
//
//     cc -O2 -o fleet-floor fleet-floor.c -lsqlite3
//     fleet-floor [--copies FOLDER] SCRIPT LIST [SCRIPT LIST ...]
//
// Each LIST has a path on each line; its files get the statements of the SCRIPT before it. With --copies, each file is first
// copied into the folder, by the backup functions of SQLite.
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

static int copy(sqlite3 *database, const char *path, const char *folder) {
  const char *slash = strrchr(path, '/');
  char *name = sqlite3_mprintf("%s/%s", folder, slash ? slash + 1 : path);
  sqlite3 *target = NULL;
  int code = sqlite3_open_v2(name, &target, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
  sqlite3_backup *backup = code == SQLITE_OK ? sqlite3_backup_init(target, "main", database, "main") : NULL;
  if (backup) {
    sqlite3_backup_step(backup, -1);
    sqlite3_backup_finish(backup);
  }
  code = sqlite3_errcode(target);
  sqlite3_close(target);
  sqlite3_free(name);
  return code;
}

static int change(const char *path, const char *script, const char *copies) {
  sqlite3 *database = NULL;
  int code = sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL);
  if (code == SQLITE_OK && copies) code = copy(database, path, copies);
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
  int first = count > 2 && strcmp(arguments[1], "--copies") == 0 ? 3 : 1;
  const char *copies = first == 3 ? arguments[2] : NULL;
  for (int index = first; index + 1 < count; index += 2) {
    char *script = content(arguments[index]);
    char *list = content(arguments[index + 1]);
    for (char *path = strtok(list, "\n"); path; path = strtok(NULL, "\n")) changed += change(path, script, copies);
    free(script);
    free(list);
  }
  printf("%ld files changed\n", changed);
  return 0;
}
