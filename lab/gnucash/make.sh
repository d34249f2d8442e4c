. "$HERE/tool.sh"
books make
