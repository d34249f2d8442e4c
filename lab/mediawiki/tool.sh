# maintain SCRIPT OPTION...: a script of MediaWiki's folder maintenance, by PHP with the extensions that it needs.
export LD_LIBRARY_PATH="$LIBRARIES"
maintain() {
  case $1 in /*) script=$1 ;; *) script="$PROGRAM/root/usr/share/mediawiki/maintenance/$1.php" ;; esac
  shift
  set -- "$script" "$@"
  for extension in xmlwriter xmlreader xml tokenizer sqlite3 simplexml posix pdo_sqlite pdo mbstring intl iconv fileinfo dom ctype; do
    set -- -d "extension=$extension" "$@"
  done
  "$PROGRAM/root/usr/bin/php8.2" -n -d "extension_dir=$(echo "$PROGRAM"/root/usr/lib/php/2*)" "$@"
}
