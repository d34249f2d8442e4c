@_exported import RandomSchemas
