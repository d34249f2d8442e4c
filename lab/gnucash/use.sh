# Adds up the accounts, enters a transaction and an account, and adds up again.
. "$HERE/tool.sh"
books use
