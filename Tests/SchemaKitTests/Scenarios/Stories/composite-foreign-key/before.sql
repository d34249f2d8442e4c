CREATE TABLE region (country TEXT, code TEXT, name TEXT, PRIMARY KEY (country, code));
CREATE TABLE town (id INTEGER PRIMARY KEY, name TEXT, country TEXT, region TEXT);
CREATE TABLE visit (town INTEGER NOT NULL REFERENCES town ON DELETE CASCADE, day TEXT);
