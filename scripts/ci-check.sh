#!/usr/bin/env bash
# Runs schemactl check as action.yml asks for it: annotations on standard output, a summary for the run's page.
# SCHEMA, and DATABASE, MIGRATIONS, BASE and ARGUMENTS where they are wanted, come from the environment.
set -uo pipefail
arguments=(--to "$SCHEMA")
[ -z "${MIGRATIONS:-}" ] || arguments+=(--migrations "$MIGRATIONS")
[ -z "${BASE:-}" ] || arguments+=(--base "$BASE")
# Words are split as a shell splits them, so that several can be given.
eval "arguments+=(${ARGUMENTS:-})"
[ -z "${DATABASE:-}" ] || arguments+=("$DATABASE")
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  schemactl check "${arguments[@]}" --format markdown >>"$GITHUB_STEP_SUMMARY" || true
fi
schemactl check "${arguments[@]}" --format github
