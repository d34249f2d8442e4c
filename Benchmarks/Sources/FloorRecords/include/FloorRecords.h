#ifndef FLOOR_RECORDS_H
#define FLOOR_RECORDS_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

// The floor that everything else is measured against: what the work costs in C, with prepared statements, values bound
// without a copy, and plain structs. All functions return an SQLite result code.

enum { FLOOR_TEXTS = 4 };

typedef struct {
  char *start;
  int length;
} floor_bytes;

/// A row. Its texts and its blob belong to it; a blob that is NULL has no start.
typedef struct {
  int64_t id;
  floor_bytes texts[FLOOR_TEXTS];
  int64_t rank;
  int64_t visits;
  double price;
  double weight;
  floor_bytes payload;
} floor_row;

typedef struct {
  floor_row *rows;
  size_t count;
  size_t capacity;
} floor_rows;

/// The statements that every implementation written by hand uses.
extern const char *const floor_create_sql;
extern const char *const floor_insert_sql;
extern const char *const floor_all_sql;
extern const char *const floor_find_sql;
extern const char *const floor_filter_sql;
extern const char *const floor_update_sql;

int floor_open(const char *path, sqlite3 **db);
int floor_execute(sqlite3 *db, const char *sql);

int floor_insert(sqlite3 *db, const floor_rows *rows);
int floor_fetch_all(sqlite3 *db, floor_rows *found);
int floor_fetch_by_key(sqlite3 *db, const int64_t *keys, size_t count, floor_rows *found);
/// One query for each pair of bounds, lower inclusive, upper exclusive.
int floor_filter(sqlite3 *db, const int64_t *lower, const int64_t *upper, size_t count, floor_rows *found);
int floor_update(sqlite3 *db, const floor_rows *rows);

/// Adds a zeroed row; NULL when there is no memory.
floor_row *floor_rows_add(floor_rows *rows);
/// Makes a copy of bytes; a copy without a start when there is no memory.
floor_bytes floor_copy(const void *start, int length);
void floor_rows_free(floor_rows *rows);

/// FNV-1a over bytes, for checksums that do not depend on the language.
uint64_t floor_hash(uint64_t state, const void *start, size_t length);

/// SQLITE_TRANSIENT, which Swift cannot import.
static inline sqlite3_destructor_type floor_transient(void) { return SQLITE_TRANSIENT; }

/// The file that this process has SQLite from, or NULL.
const char *floor_library_path(void);
/// What the C code was compiled with.
const char *floor_compiler(void);
/// Nanoseconds of CPU that this process has used.
uint64_t floor_cpu_nanoseconds(void);
/// Takes memory from the system and keeps it for malloc, so that no measurement pays for the first use of a page that
/// the next one gets for nothing.
void floor_keep_memory(size_t size);

#endif
