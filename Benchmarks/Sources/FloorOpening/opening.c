#include "FloorOpening.h"

#include <stdlib.h>
#include <string.h>

static int open_file(const char *path, sqlite3 **db) {
  return sqlite3_open_v2(path, db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
}

int opening_execute(const char *path, const char *sql) {
  sqlite3 *db = NULL;
  int code = open_file(path, &db);
  if (code == SQLITE_OK) code = sqlite3_exec(db, sql, NULL, NULL, NULL);
  int closed = sqlite3_close(db);
  return code == SQLITE_OK ? closed : code;
}

/// Steps through a statement, whose texts are looked at.
static int drain(sqlite3_stmt *statement, int64_t *bytes) {
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    int count = sqlite3_column_count(statement);
    for (int column = 0; column < count; column++) {
      if (sqlite3_column_text(statement, column)) *bytes += sqlite3_column_bytes(statement, column);
    }
  }
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

int opening_select(const char *path, const char *sql) {
  sqlite3 *db = NULL;
  sqlite3_stmt *statement = NULL;
  int64_t bytes = 0;
  int code = open_file(path, &db);
  if (code == SQLITE_OK) code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
  if (code == SQLITE_OK) code = drain(statement, &bytes);
  sqlite3_finalize(statement);
  int closed = sqlite3_close(db);
  return code == SQLITE_OK ? closed : code;
}

static int read_pragma(sqlite3 *db, const char *name, const char *object, int64_t *bytes) {
  sqlite3_stmt *statement = NULL;
  char *sql = sqlite3_mprintf("PRAGMA main.%s(\"%w\")", name, object);
  if (!sql) return SQLITE_NOMEM;
  int code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
  if (code == SQLITE_OK) code = drain(statement, bytes);
  sqlite3_finalize(statement);
  sqlite3_free(sql);
  return code;
}

static int read_table(sqlite3 *db, const char *table, int64_t *bytes) {
  int code = read_pragma(db, "table_xinfo", table, bytes);
  if (code == SQLITE_OK) code = read_pragma(db, "foreign_key_list", table, bytes);
  sqlite3_stmt *indexes = NULL;
  char *sql = sqlite3_mprintf("PRAGMA main.index_list(\"%w\")", table);
  if (!sql) return SQLITE_NOMEM;
  if (code == SQLITE_OK) code = sqlite3_prepare_v2(db, sql, -1, &indexes, NULL);
  while (code == SQLITE_OK && (code = sqlite3_step(indexes)) == SQLITE_ROW) {
    const char *name = (const char *)sqlite3_column_text(indexes, 1);
    const char *origin = (const char *)sqlite3_column_text(indexes, 3);
    *bytes += sqlite3_column_bytes(indexes, 1) + sqlite3_column_bytes(indexes, 3);
    code = name && origin && origin[0] == 'c' ? read_pragma(db, "index_xinfo", name, bytes) : SQLITE_OK;
  }
  sqlite3_finalize(indexes);
  sqlite3_free(sql);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

int opening_read_schema(const char *path, int64_t *bytes) {
  sqlite3 *db = NULL;
  sqlite3_stmt *schema = NULL;
  char **tables = NULL;
  size_t count = 0, capacity = 0;
  *bytes = 0;
  int code = open_file(path, &db);
  if (code == SQLITE_OK)
    code = sqlite3_prepare_v2(db, "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master", -1, &schema, NULL);
  while (code == SQLITE_OK && (code = sqlite3_step(schema)) == SQLITE_ROW) {
    code = SQLITE_OK;
    for (int column = 0; column < 5; column++) {
      if (sqlite3_column_text(schema, column)) *bytes += sqlite3_column_bytes(schema, column);
    }
    if (strcmp((const char *)sqlite3_column_text(schema, 0), "table") != 0) continue;
    if (count == capacity) {
      capacity = capacity ? capacity * 2 : 64;
      char **grown = realloc(tables, capacity * sizeof *grown);
      if (!grown) {
        code = SQLITE_NOMEM;
        break;
      }
      tables = grown;
    }
    if (!(tables[count++] = strdup((const char *)sqlite3_column_text(schema, 1)))) code = SQLITE_NOMEM;
  }
  if (code == SQLITE_DONE) code = SQLITE_OK;
  sqlite3_finalize(schema);
  for (size_t index = 0; index < count; index++) {
    if (code == SQLITE_OK) code = read_table(db, tables[index], bytes);
    free(tables[index]);
  }
  free(tables);
  int closed = sqlite3_close(db);
  return code == SQLITE_OK ? closed : code;
}
