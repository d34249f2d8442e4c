-- The notes app's database as its first object mapper made it: every column nullable, no CHECK, a NUMERIC key.
CREATE TABLE Note (
  noteID NUMERIC, title TEXT, text TEXT, textColor BLOB, fontName TEXT, fontSize NUMERIC, creationDate REAL,
  modificationDate REAL, imagesData BLOB, PRIMARY KEY(noteID)
);
INSERT INTO Note VALUES
  (1457000000, 'Groceries', 'Milk and bread', x'000000FF', 'Helvetica Neue', 15, 1457000000.0, 1457000000.0, NULL),
  (1457000060, 'Trip', 'Pack the tent', x'0000FFFF', 'Futura', 21, 1457000060.0, 1457000060.0,
   CAST('[{"frame":[0,0,200,150],"imageName":"img_1457000060_0"},{"frame":[10,160,133,200],"imageName":"img_1457000060_1"}]' AS BLOB)),
  (1457000120, 'O''Neil "quote" ; DROP', CAST(x'42656C6C20F09F94940A6E6577206C696E6520616E64206E756C2000656E64' AS TEXT),
   x'FF0000FF', 'Georgia', 28, 1457000120.0, 1457000120.0,
   CAST('[{"frame":[0,0,50,50],"imageName":"img_1457000120_0"}]' AS BLOB));
