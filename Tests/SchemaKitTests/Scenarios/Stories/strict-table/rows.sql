INSERT INTO reading VALUES (1, 'roof', 20, '1457000000'), (2, 'cellar', 7.5, 1457000060), (3, NULL, NULL, NULL);
