INSERT INTO ticket VALUES (1, 'Ada'), (2, 'Alan'), (70, 'gone');
DELETE FROM ticket WHERE id = 70;
INSERT INTO seat VALUES (9, 'window');
