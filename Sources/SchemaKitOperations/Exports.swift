@_exported public import SchemaKit
