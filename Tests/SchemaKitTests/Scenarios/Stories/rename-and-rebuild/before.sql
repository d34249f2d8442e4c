CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, email TEXT);
CREATE INDEX person_name ON person (name);
CREATE TABLE log (line TEXT);
CREATE TRIGGER person_named AFTER UPDATE OF name ON person BEGIN INSERT INTO log VALUES (old.name || ' -> ' || new.name); END;
CREATE VIEW directory AS SELECT name, email FROM person;
