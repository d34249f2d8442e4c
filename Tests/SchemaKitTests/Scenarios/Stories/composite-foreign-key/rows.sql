INSERT INTO region VALUES ('CH', 'BE', 'Bern'), ('CH', 'VD', 'Vaud');
INSERT INTO town VALUES (1, 'Thun', 'CH', 'BE'), (2, 'Nyon', 'CH', 'VD'), (3, 'Atlantis', NULL, NULL);
INSERT INTO visit VALUES (1, '2016-03-03'), (3, '2016-03-04');
