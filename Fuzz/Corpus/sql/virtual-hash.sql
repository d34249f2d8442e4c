CREATE VIRTUAL TABLE f USING fts4(a, #1, #b, @c(d));
