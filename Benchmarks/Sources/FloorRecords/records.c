#define _GNU_SOURCE
#include "FloorRecords.h"

#include <stdlib.h>
#include <string.h>

#define COLUMNS "id, title, author, place, note, rank, visits, price, weight, payload"

const char *const floor_create_sql =
    "CREATE TABLE records (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author TEXT NOT NULL, place TEXT NOT NULL, "
    "note TEXT NOT NULL, rank INTEGER NOT NULL, visits INTEGER NOT NULL, price REAL NOT NULL, weight REAL NOT NULL, "
    "payload BLOB);"
    "CREATE INDEX records_by_rank ON records (rank);";
const char *const floor_insert_sql = "INSERT INTO records (" COLUMNS ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
const char *const floor_all_sql = "SELECT " COLUMNS " FROM records";
const char *const floor_find_sql = "SELECT " COLUMNS " FROM records WHERE id = ?1";
const char *const floor_filter_sql = "SELECT " COLUMNS " FROM records WHERE rank >= ?1 AND rank < ?2";
const char *const floor_update_sql =
    "UPDATE records SET title = ?2, author = ?3, place = ?4, note = ?5, rank = ?6, visits = ?7, price = ?8, "
    "weight = ?9, payload = ?10 WHERE id = ?1";

int floor_execute(sqlite3 *db, const char *sql) { return sqlite3_exec(db, sql, NULL, NULL, NULL); }

int floor_open(const char *path, sqlite3 **db) {
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  int code = sqlite3_open_v2(path, db, flags, NULL);
  if (code == SQLITE_OK) code = floor_execute(*db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  return code;
}

floor_row *floor_rows_add(floor_rows *rows) {
  if (rows->count == rows->capacity) {
    size_t capacity = rows->capacity ? rows->capacity * 2 : 64;
    floor_row *grown = realloc(rows->rows, capacity * sizeof *grown);
    if (!grown) return NULL;
    rows->rows = grown;
    rows->capacity = capacity;
  }
  floor_row *row = &rows->rows[rows->count++];
  memset(row, 0, sizeof *row);
  return row;
}

floor_bytes floor_copy(const void *start, int length) {
  floor_bytes copy = {malloc((size_t)length + 1), length};
  if (!copy.start) return copy;
  if (length > 0) memcpy(copy.start, start, (size_t)length);
  copy.start[length] = 0;
  return copy;
}

void floor_rows_free(floor_rows *rows) {
  for (size_t i = 0; i < rows->count; i++) {
    for (int text = 0; text < FLOOR_TEXTS; text++) free(rows->rows[i].texts[text].start);
    free(rows->rows[i].payload.start);
  }
  free(rows->rows);
  *rows = (floor_rows){0};
}

static int read_row(sqlite3_stmt *statement, floor_rows *found) {
  floor_row *row = floor_rows_add(found);
  if (!row) return SQLITE_NOMEM;
  row->id = sqlite3_column_int64(statement, 0);
  for (int text = 0; text < FLOOR_TEXTS; text++) {
    const void *start = sqlite3_column_text(statement, 1 + text);
    row->texts[text] = floor_copy(start, sqlite3_column_bytes(statement, 1 + text));
    if (!row->texts[text].start) return SQLITE_NOMEM;
  }
  row->rank = sqlite3_column_int64(statement, 5);
  row->visits = sqlite3_column_int64(statement, 6);
  row->price = sqlite3_column_double(statement, 7);
  row->weight = sqlite3_column_double(statement, 8);
  if (sqlite3_column_type(statement, 9) != SQLITE_NULL) {
    const void *start = sqlite3_column_blob(statement, 9);
    row->payload = floor_copy(start, sqlite3_column_bytes(statement, 9));
    if (!row->payload.start) return SQLITE_NOMEM;
  }
  return SQLITE_OK;
}

static int read_rows(sqlite3_stmt *statement, floor_rows *found) {
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    int read = read_row(statement, found);
    if (read != SQLITE_OK) return read;
  }
  int reset = sqlite3_reset(statement);
  return code == SQLITE_DONE ? reset : code;
}

static void bind_row(sqlite3_stmt *statement, const floor_row *row) {
  sqlite3_bind_int64(statement, 1, row->id);
  for (int text = 0; text < FLOOR_TEXTS; text++)
    sqlite3_bind_text(statement, 2 + text, row->texts[text].start, row->texts[text].length, SQLITE_STATIC);
  sqlite3_bind_int64(statement, 6, row->rank);
  sqlite3_bind_int64(statement, 7, row->visits);
  sqlite3_bind_double(statement, 8, row->price);
  sqlite3_bind_double(statement, 9, row->weight);
  sqlite3_bind_blob(statement, 10, row->payload.start, row->payload.length, SQLITE_STATIC);
}

static int write_rows(sqlite3 *db, const char *sql, const floor_rows *rows) {
  sqlite3_stmt *statement = NULL;
  int code = floor_execute(db, "BEGIN IMMEDIATE");
  if (code == SQLITE_OK) code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
  for (size_t i = 0; i < rows->count && code == SQLITE_OK; i++) {
    bind_row(statement, &rows->rows[i]);
    code = sqlite3_step(statement);
    if (code == SQLITE_DONE) code = sqlite3_changes(db) == 1 ? SQLITE_OK : SQLITE_NOTFOUND;
    sqlite3_reset(statement);
  }
  sqlite3_finalize(statement);
  return code == SQLITE_OK ? floor_execute(db, "COMMIT") : code;
}

static int begin_read(sqlite3 *db, const char *sql, sqlite3_stmt **statement) {
  int code = floor_execute(db, "BEGIN");
  return code == SQLITE_OK ? sqlite3_prepare_v2(db, sql, -1, statement, NULL) : code;
}

static int end_read(sqlite3 *db, sqlite3_stmt *statement, int code) {
  sqlite3_finalize(statement);
  return code == SQLITE_OK ? floor_execute(db, "COMMIT") : code;
}

int floor_insert(sqlite3 *db, const floor_rows *rows) { return write_rows(db, floor_insert_sql, rows); }

int floor_update(sqlite3 *db, const floor_rows *rows) { return write_rows(db, floor_update_sql, rows); }

int floor_fetch_all(sqlite3 *db, floor_rows *found) {
  sqlite3_stmt *statement = NULL;
  int code = begin_read(db, floor_all_sql, &statement);
  if (code == SQLITE_OK) code = read_rows(statement, found);
  return end_read(db, statement, code);
}

int floor_fetch_by_key(sqlite3 *db, const int64_t *keys, size_t count, floor_rows *found) {
  sqlite3_stmt *statement = NULL;
  int code = begin_read(db, floor_find_sql, &statement);
  for (size_t i = 0; i < count && code == SQLITE_OK; i++) {
    sqlite3_bind_int64(statement, 1, keys[i]);
    code = read_rows(statement, found);
  }
  return end_read(db, statement, code);
}

int floor_filter(sqlite3 *db, const int64_t *lower, const int64_t *upper, size_t count, floor_rows *found) {
  sqlite3_stmt *statement = NULL;
  int code = begin_read(db, floor_filter_sql, &statement);
  for (size_t i = 0; i < count && code == SQLITE_OK; i++) {
    sqlite3_bind_int64(statement, 1, lower[i]);
    sqlite3_bind_int64(statement, 2, upper[i]);
    code = read_rows(statement, found);
  }
  return end_read(db, statement, code);
}
