#!/bin/sh
# A partial index covers the rows that its WHERE names, so that a UNIQUE one may allow one open order for each customer and any number of
# closed ones (https://sqlite.org/partialindex.html). Doctrine DBAL compares two schemas and prints the statements between them; on SQLite
# it makes a table anew for most changes (https://www.doctrine-project.org/projects/doctrine-dbal/en/3.6/reference/schema-manager.html).
# Version 3.6.1 reads the index without its WHERE and puts it back as one over all rows. After a longer note a customer cannot order twice
# any more, open or closed. Where a customer already has two closed orders, the migration itself fails after the table was made anew, and
# the table is left without the index. A constraint can come back stronger as well as weaker.
# Guess before the run: the WHERE comes back, since other databases have such indexes too, or the index is left alone.
# Takes Doctrine DBAL 3.6.1 and PHP 8.2 out of Debian 12. Needs apt-get with its lists, dpkg, and of Debian 12 the libargon2-1, libicu72,
# libpcre2-8-0, libsodium23, libsqlite3-0, libssl3 and libxml2.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -q download php-doctrine-dbal=3.6.1+dfsg-1 php-doctrine-deprecations php-doctrine-event-manager php-doctrine-cache php-psr-cache \
    php-psr-log php8.2-cli php8.2-common php8.2-sqlite3 > log 2>&1 || { cat log; exit 1; }
for package in *.deb; do
    dpkg -x "$package" root
done
cat > change.php <<'P'
<?php
use Doctrine\DBAL\{DriverManager, Types\Type};

spl_autoload_register(function ($class) {
    $file = 'root/usr/share/php/' . str_replace('\\', '/', $class) . '.php';
    if (is_file($file)) {
        require $file;
    }
});

function attempt($database, array $statements): string {
    try {
        foreach ($statements as $statement) {
            $database->executeStatement($statement);
        }
        return 'done';
    } catch (Doctrine\DBAL\Exception\UniqueConstraintViolationException $error) {
        return 'refused: ' . explode('violation: 19 ', $error->getMessage())[1];
    }
}

$expected = ['two closed orders' => 'refused', 'one closed order' => 'done'];
foreach ($expected as $name => $end) {
    $database = DriverManager::getConnection(['driver' => 'pdo_sqlite', 'memory' => true]);
    $insert = "INSERT INTO orders (customer, state) VALUES (7, '%s')";
    $before = attempt($database, [
        'CREATE TABLE orders (id INTEGER PRIMARY KEY NOT NULL, customer INTEGER NOT NULL, state TEXT NOT NULL, note VARCHAR(20))',
        "CREATE UNIQUE INDEX one_open ON orders (customer) WHERE state = 'open'", sprintf($insert, 'closed'), sprintf($insert, 'closed')]);
    if ($end == 'done') {
        $database->executeStatement('DELETE FROM orders WHERE id = 2');
    }
    $manager = $database->createSchemaManager();
    $old = $manager->introspectSchema();
    $new = clone $old;
    $new->getTable('orders')->changeColumn('note', ['length' => 50]);
    $statements = $database->getDatabasePlatform()->getAlterSchemaSQL($manager->createComparator()->compareSchemas($old, $new));
    $migrated = attempt($database, $statements);
    $index = $database->fetchOne("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL");
    $after = attempt($database, [sprintf($insert, 'closed')]);
    echo "$name: before: $before; migration: $migrated\n  index: ", $index ?: 'none', "; one more closed order: $after\n";
    $whole = $end == 'done' ? 'CREATE UNIQUE INDEX one_open ON orders (customer)' : false;
    if ($before != 'done' || !str_starts_with($migrated, $end) || $index !== $whole || str_starts_with($after, $end)) {
        exit(1);
    }
}
echo 'SQLite ', $database->fetchOne('SELECT sqlite_version()'), ', PHP ', PHP_VERSION, "\n";
P
extensions=root/usr/lib/php/20220829
root/usr/bin/php8.2 -n -d extension="$PWD/$extensions/pdo.so" -d extension="$PWD/$extensions/pdo_sqlite.so" \
    -d extension="$PWD/$extensions/ctype.so" change.php
