#!/usr/bin/env bash
# Runs schemactl check as action.yml asks for it: annotations on standard output, a summary for the run's page.
# SCHEMA, and DATABASE, MIGRATIONS, BASE and ARGUMENTS where they are wanted, come from the environment. Nothing in them is
# evaluated: each line of ARGUMENTS is one argument, as it stands.
set -uo pipefail
arguments=(--to "$SCHEMA")
[ -z "${MIGRATIONS:-}" ] || arguments+=(--migrations "$MIGRATIONS")
[ -z "${BASE:-}" ] || arguments+=(--base "$BASE")
while IFS= read -r line; do
  [ -z "$line" ] || arguments+=("$line")
done <<<"${ARGUMENTS:-}"
[ -z "${DATABASE:-}" ] || arguments+=("$DATABASE")
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  schemactl check "${arguments[@]}" --format markdown >>"$GITHUB_STEP_SUMMARY" || true
fi
schemactl check "${arguments[@]}" --format github
