CREATE TABLE "‮лев‏"("🦀" TEXT, é INT DEFAULT 'ß', "" INT);
CREATE VIEW "--" AS SELECT "🦀" AS "*/" FROM "‮лев‏";