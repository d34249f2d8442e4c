. "$HERE/tool.sh"
store make
