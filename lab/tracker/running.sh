# A process that has the store open goes on to ask and to add.
. "$HERE/tool.sh"
store wait
