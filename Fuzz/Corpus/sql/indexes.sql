CREATE TABLE t(a, b, desc);
CREATE INDEX i1 ON t(a || b COLLATE nocase, (desc) DESC, lower(b));
CREATE UNIQUE INDEX i2 ON t("a" ASC, b) WHERE a IS NOT NULL AND b LIKE 'x%';
CREATE INDEX i3 ON t('a');
