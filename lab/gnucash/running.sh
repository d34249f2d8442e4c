# GnuCash has read the whole file, and goes on to write.
. "$HERE/tool.sh"
books wait
