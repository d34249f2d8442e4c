# Finds documents by words, keywords and times, and artists in their order, adds some, and changes and deletes another.
. "$HERE/tool.sh"
store use
