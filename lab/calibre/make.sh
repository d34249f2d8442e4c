. "$HERE/tool.sh"
for number in $(seq 12); do
  echo "Text of the books $number" >"book$number.txt"
  calibredb add --title "The Book $number" --authors "Ada Grün & Bob $((number % 3))" --tags "tag$((number % 4)),all" \
    --series Shelf --series-index "$number" --isbn "97800000000$number" "book$number.txt"
done
calibredb add_custom_column shelf Shelf text
calibredb add_custom_column stars Stars rating
calibredb set_custom shelf 3 B7
calibredb set_metadata 4 --field "comments:Words about it" --field "publisher:Press" --field "languages:eng"
calibredb fts_index --wait-for-completion --indexing-speed fast enable
