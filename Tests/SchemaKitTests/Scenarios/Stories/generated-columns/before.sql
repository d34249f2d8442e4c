CREATE TABLE item (id INTEGER PRIMARY KEY, net REAL NOT NULL, rate REAL NOT NULL, gross REAL AS (net * rate) VIRTUAL);
CREATE INDEX item_gross ON item (gross);
CREATE TABLE word (text TEXT PRIMARY KEY);
