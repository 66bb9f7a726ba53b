#!/usr/bin/env bash
# Makes the plan of a change, saves it, and tells what it does. A fork's pull request is only validated.
here=$(dirname "${BASH_SOURCE[0]}")
source "$here/common.sh"

refuse_fork
if is_fork; then INPUT_ARGUMENTS='' exec "$here/validate.sh"; fi

# Nothing that a checkout holds lies there, so nothing but this step can have made what is passed on.
folder=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/trueup-plan.XXXXXXXX")
plan_file=$folder/plan.json
report=$folder/plan.md

arguments_of plan
ARGUMENTS+=(--detailed-exitcode --out "$plan_file" --write "markdown=$report" --max-chars 65000)
allowances
if [ -n "${INPUT_COMPARE_WITH:-}" ]; then ARGUMENTS+=(--compare-with "$INPUT_COMPARE_WITH"); fi
run_trueup "${ARGUMENTS[@]}"

if [ -f "$plan_file" ] && [ -f "$report" ]; then
  if [ -n "${PEOPLE:-}" ]; then
    # The first line of a report is its marker.
    { head -n 1 "$report" && printf '\nAllowed in comments: %s\n\n' "$PEOPLE" && tail -n +2 "$report"; } > "$report.allowed"
    mv -- "$report.allowed" "$report"
  fi
  output plan-file "$plan_file"
  output plan-digest "$(digest "$plan_file")"
  output report "$report"
  output report-digest "$(digest "$report")"
  output plan-hash "$(jq -r .trueup.plan_hash "$plan_file")"
  counts "$plan_file" \
    '.resource_changes[] | select(.trueup | .action != "none" and (.due | not) and .blocked_by == [])'
  summary "$report"
fi
case $CODE in
  0 | 2) exit 0 ;;
  # The next step looks for consents, and the plan is made again with those.
  5) if [ "${INPUT_CONSENTS:-none}" = none ]; then exit 5; fi ;;
  *) exit "$CODE" ;;
esac
