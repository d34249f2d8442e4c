CREATE TABLE person (
  id INTEGER PRIMARY KEY,
  full_name TEXT NOT NULL CHECK (length(full_name) > 0), -- schemakit: renamed from name
  email TEXT NOT NULL -- schemakit: fill lower(full_name) || '@example.org'
);
CREATE INDEX person_name ON person (full_name);
CREATE TABLE log (line TEXT);
CREATE TRIGGER person_named AFTER UPDATE OF full_name ON person BEGIN INSERT INTO log VALUES (old.full_name || ' -> ' || new.full_name); END;
CREATE VIEW directory AS SELECT full_name, email FROM person;
