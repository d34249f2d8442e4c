INSERT INTO today VALUES (1, 'new');
INSERT INTO yesterday VALUES (1, 'old'), (2, 'older');
INSERT INTO mark VALUES (1, 'red');
