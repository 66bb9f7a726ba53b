#!/usr/bin/env bash
# Applies what was reviewed: a saved plan, a plan of that hash, or (nightly) what has fallen due.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case ${GITHUB_EVENT_NAME:-} in
  pull_request* | issue_comment) fail 'apply does not run for a pull request: it runs after the merge' ;;
esac
refuse_fork
case $(event .workflow_run.event) in
  pull_request* | issue_comment) fail 'apply does not run for a pull request: it runs after the merge' ;;
esac
if is_fork; then fail 'apply does not run for a fork'; fi
if [ -n "${INPUT_PLAN_FILE:-}" ] && [ -n "${INPUT_EXPECT_HASH:-}" ]; then fail 'give plan-file or expect-hash'; fi

result=$(mktemp -d)
trap 'rm -rf -- "$result"' EXIT
arguments_of apply
if [ -n "${INPUT_PLAN_FILE:-}" ]; then
  made_by_plan "$INPUT_PLAN_FILE" "${INPUT_PLAN_DIGEST:-}"
  ARGUMENTS+=("$MADE")
elif [ -n "${INPUT_EXPECT_HASH:-}" ]; then
  ARGUMENTS+=(--expect-hash "$INPUT_EXPECT_HASH")
elif [ "${INPUT_DUE:-false}" = true ]; then
  ARGUMENTS+=(--auto-approve)
else
  fail 'apply takes plan-file, expect-hash or due'
fi
if [ "${INPUT_DUE:-false}" = true ]; then ARGUMENTS+=(--due); fi
allowances
run_trueup "${ARGUMENTS[@]}" --write "json=$result/result.json" --write "markdown=$result/result.md"

if [ -s "$result/result.json" ]; then
  output plan-hash "$(jq -r .plan_hash "$result/result.json")"
  output changes "$(jq '.counts | .added + .changed + .destroyed' "$result/result.json")"
  output destroy "$(jq .counts.destroyed "$result/result.json")"
  summary "$result/result.md"
fi
exit "$CODE"
