#ifndef SCHEMAKIT_CSQLITE_SHIM_H
#define SCHEMAKIT_CSQLITE_SHIM_H

#include <dlfcn.h>
#include <sqlite3.h>

/// Tells SQLite to copy a bound text or blob. The C macro is a cast that Swift cannot import.
static inline sqlite3_destructor_type schemakit_transient(void) { return SQLITE_TRANSIENT; }

/// Sets one of the on/off switches of `sqlite3_db_config` (variadic in C) and reports its new value.
static inline int schemakit_db_config(sqlite3 *db, int op, int value, int *now) {
  return sqlite3_db_config(db, op, value, now);
}

/// Finds a C function in the running process, or NULL: for functions newer than the oldest SQLite supported.
static inline void *schemakit_symbol(const char *name) {
#ifdef RTLD_DEFAULT
  return dlsym(RTLD_DEFAULT, name);
#else
  return dlsym((void *)0, name);
#endif
}

#endif
