CREATE จจจจจจจจจจจจจจจจจจจจจจจจจจจจจจจจจจจจจจจจจจจจจจจจจจจจจจLE f USING fts5(title, body, tokenize = 'porter ascii', content='');
CREATE VIRTUAL TABLE r USING rtree(id, xRTUAL TABLE r USING rtree(id, x0, x1);
CG fts5(title, body, tokenize = 'porter ascii', content='');
CREATE V0, x1);
CG fts5(title, body, tokenize = 'porter ascii', content='');
CREATE VIRTUAL TABLE r USING rtree(id, x0, x1);
CREATE VIRTUAL TABLE "f 4" USING fts4(a, tokenize=simple "x" 'y');
