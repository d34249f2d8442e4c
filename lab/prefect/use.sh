# Runs the flow twice more, reads all runs, sets a variable, and deletes a run.
. "$HERE/tool.sh"
flows 2
