INSERT INTO place VALUES (1, 'east of the river', 52.5), (2, NULL, -33.25);
