INSERT INTO person VALUES (1, 'Ada', 'ada@example.org'), (4, 'Alan', NULL);
