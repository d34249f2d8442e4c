#!/bin/sh
# Prints llms.txt, by which a language model finds the pages of the site: the page for agents as a whole, then a link to each
# page of docs/ with its title.
#
# The argument is the address of the pages on the site.
set -eu
cd "$(dirname "$0")/../.."
base=${1:-/documentation/schemakit}

title() { sed -n '1s/^# //p' "$1"; }
link() { echo "- [$(title "$1")]($base/$2)"; }

printf '# SchemaKit\n\n> Schema migrations for SQLite: plan, prove, apply, check and undo, by the command schemactl or in Swift.\n\n'
sed '1s/^#/##/' docs/agents.md
printf '\n## Pages\n\n'
for page in docs/*.md; do
  [ "$page" = docs/agents.md ] || link "$page" "$(basename "$page" .md)"
done
printf '\n## Commands\n\n'
for page in docs/commands/*.md; do link "$page" "schemactl-$(basename "$page" .md)"; done
