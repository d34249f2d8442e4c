// A libsqlite3.so.0 whose functions are those of a SQLite that a module of Python holds and does not export. `functions.h` has
// a line for each, with its place in the module; scripts/sqlite-in-module.sh writes it. Each function here jumps to its
// place, so that arguments need not be known.
#include <stddef.h>
#include <stdint.h>

#ifndef __x86_64__
#error "The jumps are written for x86-64."
#endif

// The one symbol that such a module exports; PLACE is its place in the module.
extern void *PyInit_apsw(void);

// Where each function is, once the module is loaded.
#define FUNCTION(name, place) __attribute__((visibility("hidden"))) void *target_of_##name;
#include "functions.h"
#undef FUNCTION

#define FUNCTION(name, place) \
  asm(".text\n.globl " #name "\n.type " #name ", @function\n" #name ":\n  jmp *target_of_" #name "(%rip)\n.size " #name ", . - " #name);
#include "functions.h"
#undef FUNCTION

extern int sqlite3Initialize(void);
extern int sqlite3_db_config(void *, int, ...);

// The module's SQLite does not initialize itself, and has no function of this name: its callers have it inlined.
int sqlite3_initialize(void) { return sqlite3Initialize(); }

// Likewise. 1005 is SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, which leaves the SQL function load_extension() off.
int sqlite3_enable_load_extension(void *db, int on) { return sqlite3_db_config(db, 1005, on, NULL); }

__attribute__((constructor)) static void find_functions(void) {
  char *module = (char *)(uintptr_t)PyInit_apsw - PLACE;
#define FUNCTION(name, place) target_of_##name = module + place;
#include "functions.h"
#undef FUNCTION
  sqlite3Initialize();
}
