# Usage: . feed.sh; feed COUNT: a feed of so many articles, the newest last. newsboat reads it from a file.
feed() {
  printf '<?xml version="1.0"?><rss version="2.0"><channel><title>Lab grün</title><link>http://localhost/</link><description>-</description>'
  for number in $(seq "$1"); do
    printf '<item><title>Article %d</title><link>http://localhost/%d</link><guid>g%d</guid><description>Text %d &amp; more</description><pubDate>Mon, 03 Nov 2025 10:%02d:00 +0000</pubDate></item>' \
      "$number" "$number" "$number" "$number" $((number % 60))
  done
  printf '</channel></rss>\n'
}
newsboat() {
  LD_LIBRARY_PATH="$LIBRARIES" "$PROGRAM/root/usr/bin/newsboat" -c cache.db -u urls -C config "$@"
}
