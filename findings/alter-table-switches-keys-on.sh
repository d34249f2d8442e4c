#!/bin/sh
# SQLite enforces foreign keys for each connection that asks for it, and does nothing about them for others
# (https://sqlite.org/foreignkeys.html#fk_enable). Sequel enforces them unless a connection is opened with foreign_keys: false
# (https://sequel.jeremyevans.net/rdoc/files/doc/opening_databases_rdoc.html), as an import does that replaces the parents first. Version
# 5.63.0 switches them off for each alter_table and on afterwards, without a look at what they were. ADD COLUMN needs neither. After a new
# column, or an index, the connection enforces the keys: DELETE takes all pets with the owners that come again in the next statement, and a
# pet that comes before its owner is refused. The same column by plain SQL changes nothing. A switch has to be put back to where it was.
# Guess before the run: the connection is as it was opened.
# Takes Sequel 5.63.0 and Ruby 3.1 out of Debian 12. Needs apt-get with its lists, dpkg, and the libsqlite3-0, libssl3 and zlib1g of Debian 12.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -q download ruby-sequel=5.63.0-1 ruby3.1 libruby3.1 ruby-rubygems rubygems-integration ruby-sqlite3 libyaml-0-2 libgmp10 > log 2>&1 ||
    { cat log; exit 1; }
for package in *.deb; do
    dpkg -x "$package" root
done
cat > change.rb <<'R'
require 'sequel'
require 'sqlite3'

changes = {
  'nothing' => ->(_) {},
  'a column by plain SQL' => ->(database) { database.run('ALTER TABLE owner ADD COLUMN town TEXT') },
  'a column by alter_table' => ->(database) { database.alter_table(:owner) { add_column :town, String } },
  'an index by alter_table' => ->(database) { database.alter_table(:owner) { add_index :name } }
}
puts "Sequel #{Sequel::VERSION}, SQLite #{SQLite3::SQLITE_VERSION}"
changes.each do |name, change|
  database = Sequel.sqlite(foreign_keys: false)
  database.run('CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT)')
  database.run('CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES owner ON DELETE CASCADE)')
  database[:owner].multi_insert([{ id: 1, name: 'Ada' }, { id: 2, name: 'Ben' }])
  database[:pet].multi_insert([{ owner: 1 }, { owner: 2 }, { owner: 2 }])
  before = database.get(Sequel.lit('(SELECT foreign_keys FROM pragma_foreign_keys)'))
  change.call(database)
  after = database.get(Sequel.lit('(SELECT foreign_keys FROM pragma_foreign_keys)'))
  database[:owner].delete
  database[:owner].multi_insert([{ id: 1, name: 'Ada' }, { id: 2, name: 'Ben' }])
  pets = database[:pet].count
  answer = begin
    database[:pet].insert(owner: 3)
    'accepted'
  rescue Sequel::ForeignKeyConstraintViolation
    'refused'
  end
  puts "#{name}: foreign_keys #{before} before, #{after} after; owners replaced: #{pets} pets of 3; a pet before its owner: #{answer}"
  expected = name.end_with?('alter_table') ? [0, 1, 0, 'refused'] : [0, 0, 3, 'accepted']
  abort 'changed' unless [before, after, pets, answer] == expected && Sequel::VERSION == '5.63.0'
end
R
system=$PWD/root/usr/lib/x86_64-linux-gnu
gems=usr/share/rubygems-integration
export LD_LIBRARY_PATH="$system" GEM_PATH="$PWD/root/$gems/all:$PWD/root/$gems/3.1.0:$system/rubygems-integration/3.1.0"
export RUBYLIB="$PWD/root/usr/lib/ruby/vendor_ruby:$system/ruby/vendor_ruby/3.1.0:$PWD/root/usr/lib/ruby/3.1.0:$system/ruby/3.1.0"
root/usr/bin/ruby3.1 change.rb
