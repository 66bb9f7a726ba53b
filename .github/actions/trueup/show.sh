#!/usr/bin/env bash
# Makes one report of the results of several jobs, in the summary of the step. Nothing is sent.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

report=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/trueup-show.XXXXXXXX")/report.md
read_lines "${INPUT_FILES:-}"
results=()
for line in ${LINES[@]+"${LINES[@]}"}; do
  while IFS= read -r -d '' file; do results+=("$file"); done < <(find "./$line" -type f -name '*.json' -print0 | sort -z)
done
if [ "${#results[@]}" -eq 0 ]; then fail 'show finds no result in the files'; fi
run_trueup show "${results[@]}" --write "markdown=$report" --max-chars 65000
summary "$report"
exit "$CODE"
