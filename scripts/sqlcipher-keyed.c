// Gives every database file that a process opens the same key, so that tests that know nothing of keys run on encrypted
// files. A raw key, since deriving one from a passphrase takes a tenth of a second for each connection, with the salt, so
// that ATTACH gives it to other files. SQLCipher's log is turned off, as SchemaKit does where it is given a key.
#include <stddef.h>

typedef struct sqlite3 sqlite3;
extern int sqlite3_auto_extension(void (*)(void));
extern int sqlite3_exec(sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *, char **);
extern int sqlite3_key_v2(sqlite3 *, const char *, const void *, int);
extern const char *sqlite3_db_filename(sqlite3 *, const char *);

static int key_file(sqlite3 *db, const char **message, const void *api) {
  static const char key[] =
      "x'2dd29ca851e7b56e4697b0e1f08507293d761a05ce4d1b628663f411a8086d99f0c1d2b3a4958677685940312213041f'";
  const char *file = sqlite3_db_filename(db, "main");
  (void)message, (void)api;
  sqlite3_exec(db, "PRAGMA cipher_log_level = NONE", NULL, NULL, NULL);
  return file && *file ? sqlite3_key_v2(db, "main", key, sizeof key - 1) : 0;
}

__attribute__((constructor)) static void key_all_files(void) { sqlite3_auto_extension((void (*)(void))key_file); }
