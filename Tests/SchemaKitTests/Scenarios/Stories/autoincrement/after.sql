CREATE TABLE pass ( -- schemakit: renamed from ticket
  id INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT NOT NULL
);
CREATE TABLE seat (id INTEGER PRIMARY KEY, place TEXT);
