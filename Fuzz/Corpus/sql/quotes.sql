CREATE TABLE "a ""b"" c"([x y] INT, `z``z` TEXT, 'lit' BLOB, "sel" DEFAULT "txt");
CREATE INDEX [i 1] ON "a ""b"" c"([x y], `z``z` COLLATE "nocase" DESC) WHERE [x y] > 'a' -- tail
;
