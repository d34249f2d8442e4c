CREATE TABLE sale (
  id INTEGER PRIMARY KEY,
  cents INTEGER NOT NULL CHECK (cents > 0), -- schemakit: renamed from amount
  shop TEXT
);
CREATE VIEW by_shop AS SELECT shop, sum(cents) AS total FROM sale GROUP BY shop;
CREATE VIEW good_shops AS SELECT shop FROM by_shop WHERE total > 10;
CREATE VIEW good_sales AS SELECT sale.* FROM sale JOIN good_shops USING (shop);
CREATE TRIGGER good_sales_insert INSTEAD OF INSERT ON good_sales BEGIN
  INSERT INTO sale (cents, shop) VALUES (new.cents, new.shop);
END;
