-- schemakit: removed attic
CREATE TABLE post ( -- schemakit: removed draft, old_id
  id INTEGER PRIMARY KEY, title TEXT
);
