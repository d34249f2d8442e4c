CREATE TABLE q([a] [x y] INT, b "x" /* ' */ TEXT, c [VARCHAR] (3), d [] INT);
