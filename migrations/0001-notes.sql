-- The schema of the sample models, as NotesSample declares it.
-- Checked by: notes-schema check --migrations migrations

CREATE TABLE "Note" (
  "noteID" INTEGER PRIMARY KEY,
  "title" TEXT NOT NULL CONSTRAINT "Note_title_check" CHECK (length(title) > 0),
  "text" TEXT NOT NULL CONSTRAINT "Note_text_check" CHECK (length(text) > 0),
  "textColor" BLOB NOT NULL,
  "fontName" TEXT NOT NULL DEFAULT 'Helvetica Neue',
  "fontSize" REAL NOT NULL DEFAULT 15.0,
  "creationDate" REAL NOT NULL,
  "modificationDate" REAL NOT NULL,
  "imagesData" BLOB
);

CREATE INDEX "Note_by_modificationDate" ON "Note" ("modificationDate");
