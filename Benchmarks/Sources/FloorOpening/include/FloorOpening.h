#ifndef FLOOR_OPENING_H
#define FLOOR_OPENING_H

#include <sqlite3.h>
#include <stdint.h>

// What opening a file is measured against. Every function opens the file anew and closes it, and returns an SQLite result
// code.

/// Runs a script.
int opening_execute(const char *path, const char *sql);

/// Runs one SELECT to its end, which makes SQLite read the schema.
int opening_select(const char *path, const char *sql);

/// Reads every row of sqlite_schema, and for each table PRAGMA table_xinfo, foreign_key_list and index_list, and
/// index_xinfo for each index of a CREATE INDEX. Every text is looked at; `bytes` gets the length of all of them.
int opening_read_schema(const char *path, int64_t *bytes);

#endif
