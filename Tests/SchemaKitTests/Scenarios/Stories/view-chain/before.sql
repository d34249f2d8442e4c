CREATE TABLE sale (id INTEGER PRIMARY KEY, amount INTEGER, shop TEXT);
CREATE VIEW by_shop AS SELECT shop, sum(amount) AS total FROM sale GROUP BY shop;
CREATE VIEW good_shops AS SELECT shop FROM by_shop WHERE total > 10;
CREATE VIEW good_sales AS SELECT sale.* FROM sale JOIN good_shops USING (shop);
CREATE TRIGGER good_sales_insert INSTEAD OF INSERT ON good_sales BEGIN
  INSERT INTO sale (amount, shop) VALUES (new.amount, new.shop);
END;
