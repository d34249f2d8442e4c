import FloorRecords

/// The statements of the floor, for others that are written by hand too.
enum HandwrittenSQL {
  static let create = String(cString: floor_create_sql)
  static let insert = String(cString: floor_insert_sql)
  static let update = String(cString: floor_update_sql)
  static let all = String(cString: floor_all_sql)
  static let find = String(cString: floor_find_sql)
  static let filter = String(cString: floor_filter_sql)
}
