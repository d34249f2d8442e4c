INSERT INTO sale VALUES (1, 5, 'mill'), (2, 9, 'mill'), (3, 3, 'port');
