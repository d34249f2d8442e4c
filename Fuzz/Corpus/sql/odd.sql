CREATE TABLE t(a CONSTRAINT x CONSTRAINT y NOT NULL ON CONFLICT FAIL CHECK (a) CHECK (a > 0), b PRIMARY KEY DESC, CHECK (b), CHECK (a <> 1) UNIQUE (a) FOREIGN KEY (a) REFERENCES z NOT DEFERRABLE)
;CREATE TABLE u(x long text (3, -4.5) null default +5 collate rtrim, y unsigned big int generated always as (x) );
CREATE TABLE IF NOT EXISTS main . k (if, "if not");
