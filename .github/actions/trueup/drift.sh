#!/usr/bin/env bash
# Compares the account with the files, changes nothing, and leaves the report for the issue.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

refuse_fork
rm -f -- trueup-drift.json trueup-drift.md
arguments_of drift
run_trueup "${ARGUMENTS[@]}" --write json=trueup-drift.json --write markdown=trueup-drift.md --max-chars 65000

if [ -f trueup-drift.json ]; then
  counts trueup-drift.json '(.changed + .missing)[]'
  summary trueup-drift.md
fi
case $CODE in
  0 | 2) exit 0 ;;
  *) exit "$CODE" ;;
esac
