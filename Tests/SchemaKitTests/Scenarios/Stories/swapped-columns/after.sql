CREATE TABLE place (
  id INTEGER PRIMARY KEY,
  longitude TEXT,         -- schemakit: renamed from latitude
  latitude REAL NOT NULL  -- schemakit: renamed from longitude
);
