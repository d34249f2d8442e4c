INSERT INTO post VALUES (1, 'Hello', 'Helo', 77), (2, 'Bye', NULL, 78);
INSERT INTO attic VALUES (1, 'x');
