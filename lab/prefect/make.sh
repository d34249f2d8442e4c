. "$HERE/tool.sh"
flows 8
