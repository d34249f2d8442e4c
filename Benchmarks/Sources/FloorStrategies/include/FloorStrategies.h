#ifndef FLOOR_STRATEGIES_H
#define FLOOR_STRATEGIES_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

// What the changes of a large table are measured with: the file, the copy that nothing beats, what is left in a file, and
// what single statements cost. Functions that return an int return an SQLite result code, with a message of SQLite in a
// buffer of STRATEGIES_MESSAGE bytes.

enum { STRATEGIES_MESSAGE = 512 };

/// Makes a file with `item` of 12 columns and 3 indexes, its child `part`, and `maker`, which `item` refers to by a
/// foreign key if `refers` is not 0.
int strategies_make(const char *path, int64_t rows, int64_t parts, int refers, char *message);

/// The mixed change as one would write it by hand and tune it: the twelve steps of SQLite's documentation with sorter
/// threads, without overwriting what is dropped, and with the indexes made after the copy.
int strategies_copy(const char *path, char *message);

/// Hashes every value that a query yields, with its type.
int strategies_checksum(const char *path, const char *sql, uint64_t *hash, int64_t *rows, char *message);

/// Gives free memory back to the system and forgets the peak; returns the resident bytes, or -1 where that is unknown.
int64_t strategies_memory_begin(void);
/// The largest number of resident bytes since then, or -1 where that is unknown.
int64_t strategies_memory_peak(void);

typedef struct {
  const char *sql;
  int64_t runs;
  int64_t nanoseconds;
  int64_t cpu_nanoseconds;
} strategies_statement;

/// Times the statements of every connection that is opened from now on, until the end.
void strategies_trace_begin(void);
void strategies_trace_end(void);
/// What was timed, one entry for each text; valid until the next beginning.
const strategies_statement *strategies_trace_statements(size_t *count);

#endif
