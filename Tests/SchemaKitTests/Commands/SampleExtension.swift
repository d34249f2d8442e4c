import Foundation

/// A small SQLite extension, compiled by `cc`: the function `shelf_code`, the collation `backwards`, and the module
/// `empty_grid` of virtual tables that hold no rows.
enum SampleExtension {
  /// Whether there is a compiler, and the header that extensions include.
  static let canBeCompiled: Bool = {
    guard let folder = try? CommandFolder() else { return false }
    return (try? compile("#include <sqlite3ext.h>", in: folder)) != nil
  }()

  /// Compiles it into a folder, and returns the name of the library.
  @discardableResult
  static func compile(_ source: String = source, in folder: CommandFolder) throws -> String {
    try folder.write(source, to: "sample.c")
    let run = try CommandRun(
      ["cc", "-shared", "-fPIC", "-o", "sample.so", "sample.c"], in: folder, program: "/usr/bin/env")
    guard run.status == 0 else { throw Failure(description: run.errors) }
    return "sample.so"
  }

  struct Failure: Error, CustomStringConvertible { var description: String }

  private static let source = #"""
    #include <sqlite3ext.h>
    SQLITE_EXTENSION_INIT1

    /* Whether a text begins with S-, as the codes of shelves do. */
    static void shelf_code(sqlite3_context *context, int count, sqlite3_value **values) {
      const unsigned char *text = sqlite3_value_text(values[0]);
      sqlite3_result_int(context, text && text[0] == 'S' && text[1] == '-');
    }

    static int backwards(void *unused, int left_size, const void *left, int right_size, const void *right) {
      const unsigned char *a = left, *b = right;
      for (int i = 0; i < left_size && i < right_size; i++) if (a[i] != b[i]) return b[i] - a[i];
      return right_size - left_size;
    }

    static int grid_connect(sqlite3 *db, void *unused, int count, const char *const *words, sqlite3_vtab **made, char **error) {
      *made = sqlite3_malloc(sizeof(sqlite3_vtab));
      if (!*made) return SQLITE_NOMEM;
      **made = (sqlite3_vtab){0};
      return sqlite3_declare_vtab(db, "CREATE TABLE x (a, b)");
    }
    static int grid_disconnect(sqlite3_vtab *table) { sqlite3_free(table); return SQLITE_OK; }
    static int grid_index(sqlite3_vtab *table, sqlite3_index_info *info) { return SQLITE_OK; }
    static int grid_open(sqlite3_vtab *table, sqlite3_vtab_cursor **made) {
      *made = sqlite3_malloc(sizeof(sqlite3_vtab_cursor));
      return *made ? SQLITE_OK : SQLITE_NOMEM;
    }
    static int grid_close(sqlite3_vtab_cursor *cursor) { sqlite3_free(cursor); return SQLITE_OK; }
    static int grid_filter(sqlite3_vtab_cursor *cursor, int n, const char *s, int count, sqlite3_value **values) { return SQLITE_OK; }
    static int grid_next(sqlite3_vtab_cursor *cursor) { return SQLITE_OK; }
    static int grid_eof(sqlite3_vtab_cursor *cursor) { return 1; }
    static int grid_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column) { return SQLITE_OK; }
    static int grid_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid) { return SQLITE_OK; }
    static sqlite3_module grid = {
      .xCreate = grid_connect, .xConnect = grid_connect, .xBestIndex = grid_index, .xDisconnect = grid_disconnect,
      .xDestroy = grid_disconnect, .xOpen = grid_open, .xClose = grid_close, .xFilter = grid_filter, .xNext = grid_next,
      .xEof = grid_eof, .xColumn = grid_column, .xRowid = grid_rowid,
    };

    /* The same with a table of its own that it does not call a shadow table, and without rowids. */
    typedef struct { sqlite3_vtab base; sqlite3 *db; char *drop; } celled_table;
    static int celled_connect(sqlite3 *db, void *unused, int count, const char *const *words, sqlite3_vtab **made, char **error) {
      celled_table *table = sqlite3_malloc(sizeof(celled_table));
      if (!table) return SQLITE_NOMEM;
      *table = (celled_table){{0}, db, sqlite3_mprintf("DROP TABLE \"%w\".\"%w_cells\"", words[1], words[2])};
      *made = &table->base;
      return sqlite3_declare_vtab(db, "CREATE TABLE x (a PRIMARY KEY, b) WITHOUT ROWID");
    }
    static int celled_create(sqlite3 *db, void *unused, int count, const char *const *words, sqlite3_vtab **made, char **error) {
      char *sql = sqlite3_mprintf("CREATE TABLE \"%w\".\"%w_cells\" (a)", words[1], words[2]);
      int code = sqlite3_exec(db, sql, 0, 0, error);
      sqlite3_free(sql);
      return code == SQLITE_OK ? celled_connect(db, unused, count, words, made, error) : code;
    }
    static int celled_disconnect(sqlite3_vtab *table) {
      sqlite3_free(((celled_table *)table)->drop);
      sqlite3_free(table);
      return SQLITE_OK;
    }
    static int celled_destroy(sqlite3_vtab *table) {
      int code = sqlite3_exec(((celled_table *)table)->db, ((celled_table *)table)->drop, 0, 0, 0);
      return code == SQLITE_OK ? celled_disconnect(table) : code;
    }
    static int celled_update(sqlite3_vtab *table, int count, sqlite3_value **values, sqlite3_int64 *row) { return SQLITE_READONLY; }
    static sqlite3_module celled = {
      .xCreate = celled_create, .xConnect = celled_connect, .xBestIndex = grid_index, .xDisconnect = celled_disconnect,
      .xDestroy = celled_destroy, .xOpen = grid_open, .xClose = grid_close, .xFilter = grid_filter, .xNext = grid_next,
      .xEof = grid_eof, .xColumn = grid_column, .xUpdate = celled_update,
    };

    int sqlite3_sample_init(sqlite3 *db, char **error, const sqlite3_api_routines *api) {
      SQLITE_EXTENSION_INIT2(api);
      int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
      int code = sqlite3_create_function_v2(db, "shelf_code", 1, flags, 0, shelf_code, 0, 0, 0);
      if (code == SQLITE_OK) code = sqlite3_create_collation_v2(db, "backwards", SQLITE_UTF8, 0, backwards, 0);
      if (code == SQLITE_OK) code = sqlite3_create_module_v2(db, "empty_grid", &grid, 0, 0);
      if (code == SQLITE_OK) code = sqlite3_create_module_v2(db, "celled_grid", &celled, 0, 0);
      return code;
    }
    """#
}
