#!/usr/bin/env bash
# Compares the account with the files, changes nothing, and leaves the report for the issue.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

refuse_fork
if is_fork; then fail 'drift does not run for a fork'; fi
folder=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/trueup-drift.XXXXXXXX")
result=$folder/drift.json
report=$folder/drift.md
arguments_of drift
run_trueup "${ARGUMENTS[@]}" --write "json=$result" --write "markdown=$report" --max-chars 65000

if [ -f "$result" ]; then
  counts "$result" '(.changed + .missing)[]'
  summary "$report"
  output report "$report"
fi
case $CODE in
  0 | 2) exit 0 ;;
  *) exit "$CODE" ;;
esac
