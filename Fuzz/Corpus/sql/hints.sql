CREATE TABLE t( -- schemakit: renamed from u, "v w"
 a INT NOT NULL, -- schemakit: fill length(b)
 b TEXT -- schemakit: removed c
);