CREATE TABLE today (id INTEGER PRIMARY KEY, note TEXT NOT NULL, mood TEXT);
CREATE TABLE yesterday ( -- schemakit: renamed from today
  id INTEGER PRIMARY KEY, note TEXT
);
CREATE TABLE archive ( -- schemakit: renamed from yesterday
  id INTEGER PRIMARY KEY, note TEXT
);
CREATE TABLE mark (today INTEGER REFERENCES yesterday ON DELETE CASCADE, colour TEXT);
CREATE VIEW latest AS SELECT note FROM yesterday;
