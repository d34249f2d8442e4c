@_exported public import SQLiteSchema
