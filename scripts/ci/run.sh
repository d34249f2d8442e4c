#!/usr/bin/env bash
# Runs a command of schemactl as action.yml asks for it: annotations on standard output, a summary for the run's page in
# Markdown, and SARIF in a file where one is named. COMMAND (check, lint or plan), SCHEMA, DATABASE, MIGRATIONS, BASE, CONFIG,
# ENVIRONMENT, PREFIX, SARIF and ARGUMENTS come from the environment. Nothing in them is evaluated: each line of ARGUMENTS is one
# argument, as it stands.
set -uo pipefail
command=${COMMAND:-check}
arguments=()
# An option and its value, where there is one; a value may begin with a dash.
add() { [ -z "$2" ] || arguments+=("$1=$2"); }
case "$command" in
  check) add --migrations "${MIGRATIONS:-}" && add --base "${BASE:-}" ;;
  plan) add --migrations "${MIGRATIONS:-}" ;;
  lint) ;;
  *)
    echo "::error::schemactl: the input command is check, lint or plan"
    exit 64
    ;;
esac
[ "$command" = lint ] || add --to "${SCHEMA:-}"
[ "$command" = plan ] || [ "${PREFIX:-.}" = . ] || add --path-prefix "$PREFIX"
add --config "${CONFIG:-}"
add --env "${ENVIRONMENT:-}"
while IFS= read -r line; do
  [ -z "$line" ] || arguments+=("$line")
done <<<"${ARGUMENTS:-}"
subject=${DATABASE:-}
[ "$command" != lint ] || subject=${SCHEMA:-}
# What follows -- is no option, whatever it begins with.
operands=()
[ -z "$subject" ] || operands=(-- "$subject")

run() { schemactl "$command" ${arguments[@]+"${arguments[@]}"} "$@" ${operands[@]+"${operands[@]}"}; }
if [ -n "${REPORT:-}" ]; then run --format markdown >"$REPORT" 2>/dev/null || true; fi
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -s "${REPORT:-}" ]; then cat "$REPORT" >>"$GITHUB_STEP_SUMMARY"; fi
if [ "$command" = plan ]; then
  run
else
  if [ -n "${SARIF:-}" ]; then run --format sarif >"$SARIF" || true; fi
  run --format github
fi
