INSERT INTO item (id, net, rate) VALUES (1, 100, 0.5), (2, 8, 0.25);
INSERT INTO word VALUES ('alpha'), ('pi');
