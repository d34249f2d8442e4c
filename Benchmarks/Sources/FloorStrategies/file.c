#define _GNU_SOURCE
#include "FloorStrategies.h"

#include "FloorRecords.h"

#include <stdio.h>
#include <string.h>

enum { BLOB = 200, NOTE = 100, MAKERS = 1000 };

static int fail(sqlite3 *db, int code, char *message) {
  snprintf(message, STRATEGIES_MESSAGE, "%s", sqlite3_errmsg(db));
  sqlite3_close(db);
  return code;
}

/// Numbers that are the same in every run.
static uint64_t next(uint64_t *state) {
  uint64_t x = *state;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return *state = x;
}

static void fill(char *text, int length, uint64_t *state) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
  for (int i = 0; i < length; i++) text[i] = letters[next(state) >> 20 & 31];
}

static int make_items(sqlite3 *db, int64_t rows) {
  sqlite3_stmt *insert = NULL;
  int code = sqlite3_prepare_v2(
      db, "INSERT INTO item VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)", -1, &insert, NULL);
  uint64_t state = 0x9e3779b97f4a7c15ULL;
  char name[20], category[12], number[24], note[NOTE], blob[BLOB];
  for (int64_t id = 1; code == SQLITE_OK && id <= rows; id++) {
    fill(name, sizeof name, &state);
    fill(category, sizeof category, &state);
    fill(note, sizeof note, &state);
    fill(blob, sizeof blob, &state);
    int digits = snprintf(number, sizeof number, "%u", (unsigned)(next(&state) >> 34));
    sqlite3_bind_int64(insert, 1, id);
    sqlite3_bind_text(insert, 2, name, sizeof name, SQLITE_STATIC);
    sqlite3_bind_text(insert, 3, number, digits, SQLITE_STATIC);
    uint64_t quantity = next(&state) >> 20;
    if (quantity % 10 == 0)
      sqlite3_bind_null(insert, 4);
    else
      sqlite3_bind_int64(insert, 4, (int64_t)(quantity % 1000));
    sqlite3_bind_double(insert, 5, (double)(next(&state) >> 44) / 100);
    sqlite3_bind_text(insert, 6, category, sizeof category, SQLITE_STATIC);
    sqlite3_bind_int64(insert, 7, 1500000000 + (int64_t)(next(&state) >> 36));
    sqlite3_bind_int64(insert, 8, 1700000000 + (int64_t)(next(&state) >> 40));
    sqlite3_bind_int64(insert, 9, (int64_t)(next(&state) >> 20) % 5);
    sqlite3_bind_text(insert, 10, note, sizeof note, SQLITE_STATIC);
    sqlite3_bind_int64(insert, 11, 1 + (int64_t)(next(&state) >> 20) % MAKERS);
    sqlite3_bind_blob(insert, 12, blob, sizeof blob, SQLITE_STATIC);
    sqlite3_step(insert);
    code = sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  return code;
}

int strategies_make(const char *path, int64_t rows, int64_t parts, int refers, char *message) {
  sqlite3 *db = NULL;
  int code = sqlite3_open(path, &db);
  if (code != SQLITE_OK) return fail(db, code, message);
  char sql[2048];
  snprintf(
      sql, sizeof sql,
      "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;"
      "CREATE TABLE maker (id INTEGER PRIMARY KEY, name TEXT NOT NULL);"
      "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, code TEXT NOT NULL, qty INTEGER, "
      "price REAL NOT NULL CHECK (price >= 0), category TEXT NOT NULL, created INTEGER NOT NULL, updated INTEGER, "
      "rating INTEGER, note TEXT, maker INTEGER%s, body BLOB NOT NULL);"
      "CREATE TABLE part (id INTEGER PRIMARY KEY, item INTEGER NOT NULL REFERENCES item (id) ON DELETE CASCADE, "
      "label TEXT NOT NULL);"
      "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
      "INSERT INTO maker SELECT i, 'maker ' || i FROM n;",
      refers ? " REFERENCES maker (id) ON DELETE CASCADE" : "", MAKERS);
  code = sqlite3_exec(db, sql, NULL, NULL, NULL);
  if (code == SQLITE_OK) code = make_items(db, rows);
  snprintf(
      sql, sizeof sql,
      "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < %lld) "
      "INSERT INTO part SELECT i, 1 + (i * 7919) %% %lld, 'part ' || i FROM n;"
      "CREATE INDEX item_name ON item (name);"
      "CREATE INDEX item_category ON item (category, created);"
      "CREATE INDEX item_price ON item (price);"
      "COMMIT; PRAGMA journal_mode = DELETE",
      (long long)parts, (long long)rows);
  if (code == SQLITE_OK) code = sqlite3_exec(db, sql, NULL, NULL, NULL);
  if (code != SQLITE_OK) return fail(db, code, message);
  return sqlite3_close(db);
}

int strategies_copy(const char *path, char *message) {
  sqlite3 *db = NULL;
  int code = sqlite3_open(path, &db);
  if (code != SQLITE_OK) return fail(db, code, message);
  code = sqlite3_exec(
      db,
      "PRAGMA foreign_keys = OFF; PRAGMA threads = 2; PRAGMA secure_delete = OFF;"
      "BEGIN IMMEDIATE;"
      "CREATE TABLE item_new (id INTEGER PRIMARY KEY, name TEXT NOT NULL, code INTEGER NOT NULL, "
      "qty INTEGER NOT NULL DEFAULT 0, price REAL NOT NULL, category TEXT NOT NULL, created INTEGER NOT NULL, "
      "updated INTEGER, rating INTEGER, note TEXT, maker INTEGER, body BLOB NOT NULL);"
      "INSERT INTO item_new SELECT id, name, code, coalesce(qty, 0), price, category, created, updated, rating, note, "
      "maker, body FROM item;"
      "DROP TABLE item;"
      "ALTER TABLE item_new RENAME TO item;"
      "CREATE INDEX item_name ON item (name);"
      "CREATE INDEX item_category ON item (category, created);"
      "CREATE INDEX item_price ON item (price);",
      NULL, NULL, NULL);
  sqlite3_stmt *check = NULL;
  if (code == SQLITE_OK) code = sqlite3_prepare_v2(db, "PRAGMA foreign_key_check", -1, &check, NULL);
  if (code == SQLITE_OK && sqlite3_step(check) != SQLITE_DONE) code = SQLITE_CONSTRAINT;
  sqlite3_finalize(check);
  if (code == SQLITE_OK) code = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
  if (code != SQLITE_OK) return fail(db, code, message);
  return sqlite3_close(db);
}

int strategies_checksum(const char *path, const char *sql, uint64_t *hash, int64_t *rows, char *message) {
  sqlite3 *db = NULL;
  sqlite3_stmt *query = NULL;
  int code = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL);
  if (code == SQLITE_OK) code = sqlite3_prepare_v2(db, sql, -1, &query, NULL);
  if (code != SQLITE_OK) return fail(db, code, message);
  uint64_t state = 0xcbf29ce484222325ULL;
  *rows = 0;
  while ((code = sqlite3_step(query)) == SQLITE_ROW) {
    *rows += 1;
    for (int column = 0; column < sqlite3_column_count(query); column++) {
      int type = sqlite3_column_type(query, column);
      state = floor_hash(state, &type, sizeof type);
      const void *bytes = type == SQLITE_NULL ? NULL : sqlite3_column_blob(query, column);
      int length = sqlite3_column_bytes(query, column);
      state = floor_hash(state, &length, sizeof length);
      if (bytes) state = floor_hash(state, bytes, (size_t)length);
    }
  }
  sqlite3_finalize(query);
  if (code != SQLITE_DONE) return fail(db, code, message);
  *hash = state;
  return sqlite3_close(db);
}
