#ifndef SCHEMAKIT_CSQLITE_SHIM_H
#define SCHEMAKIT_CSQLITE_SHIM_H

// Functions that only SQLCipher has are declared below, so that SQLite's own header does where both are installed.
#if !__has_include(<sqlite3.h>) && __has_include(<sqlcipher/sqlite3.h>)
#include <sqlcipher/sqlite3.h>
#else
#include <sqlite3.h>
#endif

/// Tells SQLite to copy a bound text or blob. The C macro is a cast that Swift cannot import.
static inline sqlite3_destructor_type schemakit_transient(void) { return SQLITE_TRANSIENT; }

/// Sets one of the on/off switches of `sqlite3_db_config` (variadic in C) and reports its new value.
static inline int schemakit_db_config(sqlite3 *db, int op, int value, int *now) {
  return sqlite3_db_config(db, op, value, now);
}

/// Makes the next CREATE TABLE describe an existing b-tree, in this connection alone. Off with page 1 forgets such tables.
/// See https://sqlite.org/imposter.html.
static inline void schemakit_imposter(sqlite3 *db, const char *schema, int isOn, int page) {
  sqlite3_test_control(SQLITE_TESTCTRL_IMPOSTER, db, schema, isOn, page);
}

/// Lets SQLite count no memory, under a lock that all threads share. Returns SQLITE_MISUSE once SQLite is in use.
static inline int schemakit_stop_counting_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

// Functions that the oldest supported SQLite does not have, or that some builds leave out. They are linked weakly, so that a program starts without
// them, and finds those of the very library that it uses. A static library has them as well, where dlsym() finds nothing.
#ifdef __APPLE__
#define SCHEMAKIT_WEAK __attribute__((weak_import))
#else
#define SCHEMAKIT_WEAK __attribute__((weak))
#endif
extern int sqlite3_error_offset(sqlite3 *) SCHEMAKIT_WEAK;
extern int sqlite3_txn_state(sqlite3 *, const char *) SCHEMAKIT_WEAK;
extern int sqlite3_deserialize(sqlite3 *, const char *, unsigned char *, sqlite3_int64, sqlite3_int64, unsigned) SCHEMAKIT_WEAK;
extern int sqlite3_load_extension(sqlite3 *, const char *, const char *, char **) SCHEMAKIT_WEAK;
extern const char *sqlite3_column_database_name(sqlite3_stmt *, int) SCHEMAKIT_WEAK;
extern const char *sqlite3_column_table_name(sqlite3_stmt *, int) SCHEMAKIT_WEAK;
extern const char *sqlite3_column_origin_name(sqlite3_stmt *, int) SCHEMAKIT_WEAK;

/// `sqlite3_error_offset`, since 3.38: where in the statement the latest error is, in bytes; -1 where nothing says it.
static inline int schemakit_error_offset(sqlite3 *db) { return sqlite3_error_offset ? sqlite3_error_offset(db) : -1; }

/// `sqlite3_txn_state`, since 3.34; -1 without it.
static inline int schemakit_txn_state(sqlite3 *db, const char *schema) {
  return sqlite3_txn_state ? sqlite3_txn_state(db, schema) : -1;
}

/// True if there is `sqlite3_deserialize`, since 3.36 unless it was left out of the build.
static inline int schemakit_can_deserialize(void) { return sqlite3_deserialize != 0; }

/// `sqlite3_deserialize`; SQLITE_ERROR without it, and then the bytes are not freed.
static inline int schemakit_deserialize(
    sqlite3 *db, const char *schema, unsigned char *bytes, sqlite3_int64 size, sqlite3_int64 capacity, unsigned flags) {
  return sqlite3_deserialize ? sqlite3_deserialize(db, schema, bytes, size, capacity, flags) : SQLITE_ERROR;
}

/// `sqlite3_column_database_name`, which needs SQLITE_ENABLE_COLUMN_METADATA; null without it.
static inline const char *schemakit_column_database(sqlite3_stmt *statement, int index) {
  return sqlite3_column_database_name ? sqlite3_column_database_name(statement, index) : 0;
}

/// `sqlite3_column_table_name`, likewise.
static inline const char *schemakit_column_table(sqlite3_stmt *statement, int index) {
  return sqlite3_column_table_name ? sqlite3_column_table_name(statement, index) : 0;
}

/// `sqlite3_column_origin_name`, likewise.
static inline const char *schemakit_column_origin(sqlite3_stmt *statement, int index) {
  return sqlite3_column_origin_name ? sqlite3_column_origin_name(statement, index) : 0;
}

/// True if there is `sqlite3_load_extension`, which a static program is built without.
static inline int schemakit_can_load_extensions(void) { return sqlite3_load_extension != 0; }

/// `sqlite3_load_extension` with the entry point that SQLite derives from the name; SQLITE_ERROR without it.
static inline int schemakit_load_extension(sqlite3 *db, const char *file, char **message) {
  return sqlite3_load_extension ? sqlite3_load_extension(db, file, 0, message) : SQLITE_ERROR;
}

// The functions of SQLCipher. Apple's linker refuses names that no library has, weak or not, so they are looked up there.
#ifdef __APPLE__
#include <dlfcn.h>
#define SCHEMAKIT_CIPHER(name) ((int (*)(sqlite3 *, const char *, const void *, int))dlsym(RTLD_DEFAULT, #name))
#else
extern int sqlite3_key_v2(sqlite3 *, const char *, const void *, int) SCHEMAKIT_WEAK;
extern int sqlite3_rekey_v2(sqlite3 *, const char *, const void *, int) SCHEMAKIT_WEAK;
#define SCHEMAKIT_CIPHER(name) name
#endif

/// True if there are the functions of SQLCipher that take keys.
static inline int schemakit_can_encrypt(void) {
  return SCHEMAKIT_CIPHER(sqlite3_key_v2) != 0 && SCHEMAKIT_CIPHER(sqlite3_rekey_v2) != 0;
}

/// `sqlite3_key_v2` of SQLCipher for the main database; only if there is one.
static inline int schemakit_key(sqlite3 *db, const void *key, int size) {
  return SCHEMAKIT_CIPHER(sqlite3_key_v2)(db, "main", key, size);
}

/// `sqlite3_rekey_v2` of SQLCipher for the main database; only if there is one.
static inline int schemakit_rekey(sqlite3 *db, const void *key, int size) {
  return SCHEMAKIT_CIPHER(sqlite3_rekey_v2)(db, "main", key, size);
}

#endif
