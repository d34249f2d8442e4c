import SchemaKit
