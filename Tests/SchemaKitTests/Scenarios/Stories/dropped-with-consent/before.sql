CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT, draft TEXT, old_id INTEGER);
CREATE INDEX post_old ON post (old_id);
CREATE TABLE attic (id INTEGER PRIMARY KEY, junk TEXT);
CREATE VIEW junk AS SELECT junk FROM attic;
