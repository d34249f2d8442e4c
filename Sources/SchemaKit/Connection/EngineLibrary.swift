// The library that programs with SchemaKit are linked with: never both, since two copies on one file break its locks.
#if SQLCipher
  import LinkSQLCipher
#else
  import LinkSQLite
#endif
