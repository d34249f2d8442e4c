CREATE TABLE item (
  id INTEGER PRIMARY KEY, net REAL NOT NULL, rate REAL NOT NULL, gross REAL AS (net + net * rate) STORED
);
CREATE INDEX item_gross ON item (gross);
CREATE TABLE word (text TEXT PRIMARY KEY, size INTEGER AS (length(text)) VIRTUAL);
