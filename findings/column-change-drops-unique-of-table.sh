#!/bin/sh
# UNIQUE in CREATE TABLE and CREATE UNIQUE INDEX keep the same values out, and SQLite makes an index for the first one too
# (https://sqlite.org/lang_createtable.html#unique_constraints). ActiveRecord of Ruby on Rails makes a table anew on SQLite when a migration
# changes a column (https://guides.rubyonrails.org/active_record_migrations.html). Version 6.1.7.10 puts back the indexes that have a name,
# and passes over those whose name begins with sqlite_, which are the ones of UNIQUE. A new default for the town of a member thus lets one
# address register twice and one seat be given twice. The index of another column survives. Rails itself writes named indexes only, so that
# this meets files that another program made. UNIQUE must be read from the table as well as from its indexes.
# Guess before the run: every UNIQUE is there afterwards, whichever way it was written.
# Takes ActiveRecord 6.1.7.10 and Ruby 3.1 out of Debian 12. Needs apt-get with its lists, dpkg, and the libsqlite3-0, libssl3 and zlib1g of
# Debian 12.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -q download ruby-activerecord=2:6.1.7.10+dfsg-1~deb12u4 ruby-activemodel=2:6.1.7.10+dfsg-1~deb12u4 \
    ruby-activesupport=2:6.1.7.10+dfsg-1~deb12u4 ruby3.1 libruby3.1 ruby-rubygems rubygems-integration ruby-sqlite3 ruby-concurrent ruby-i18n \
    ruby-tzinfo ruby-zeitwerk ruby-minitest libyaml-0-2 libgmp10 > log 2>&1 || { cat log; exit 1; }
for package in *.deb; do
    dpkg -x "$package" root
done
cat > change.rb <<'R'
require 'logger'
require 'bigdecimal'
require 'active_record'

ActiveRecord::Base.establish_connection(adapter: 'sqlite3', database: ':memory:')
database = ActiveRecord::Base.connection
database.raw_connection.execute_batch(<<Q)
  CREATE TABLE member (id INTEGER PRIMARY KEY, mail TEXT UNIQUE, card INTEGER, line INTEGER, seat INTEGER, town TEXT, UNIQUE (line, seat));
  CREATE UNIQUE INDEX one_card ON member (card);
  INSERT INTO member VALUES (1, 'ada@example.org', 17, 3, 4, 'Bonn');
Q
rows = { 'mail' => "(2, 'ada@example.org', 18, 3, 5, 'Ulm')", 'line, seat' => "(3, 'ben@example.org', 19, 3, 4, 'Ulm')",
         'card' => "(4, 'cy@example.org', 17, 3, 6, 'Ulm')" }
try = lambda do |row|
  database.transaction do
    database.execute("INSERT INTO member VALUES #{row}")
    raise ActiveRecord::Rollback
  end
  'accepted'
rescue ActiveRecord::RecordNotUnique
  'refused'
end
before = rows.transform_values(&try)
database.change_column_default(:member, :town, 'Kiel')
after = rows.transform_values(&try)
check = database.select_value('PRAGMA integrity_check')
puts "ActiveRecord #{ActiveRecord::VERSION::STRING}, SQLite #{SQLite3::SQLITE_VERSION}; the same value again, before #{before}"
puts "after a new default for town: #{after}; integrity_check: #{check}"
puts database.select_value("SELECT sql FROM sqlite_master WHERE name = 'member'")
abort 'changed' unless ActiveRecord::VERSION::STRING == '6.1.7.10' && check == 'ok' && before.values == %w[refused refused refused] &&
                       after == { 'mail' => 'accepted', 'line, seat' => 'accepted', 'card' => 'refused' }
R
system=$PWD/root/usr/lib/x86_64-linux-gnu
gems=usr/share/rubygems-integration
export LD_LIBRARY_PATH="$system" GEM_PATH="$PWD/root/$gems/all:$PWD/root/$gems/3.1.0:$system/rubygems-integration/3.1.0"
export RUBYLIB="$PWD/root/usr/lib/ruby/vendor_ruby:$system/ruby/vendor_ruby/3.1.0:$PWD/root/usr/lib/ruby/3.1.0:$system/ruby/3.1.0"
root/usr/bin/ruby3.1 change.rb
