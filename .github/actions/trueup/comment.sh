#!/usr/bin/env bash
# Keeps one comment on the pull request: the newest plan, with its hash and the commit that it is of.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

number=$(event .pull_request.number)
head=$(event .pull_request.head.sha)
if ! [[ $number =~ ^[0-9]+$ && $head =~ ^[0-9a-f]{40,64}$ ]]; then fail 'comment belongs into a workflow on pull_request'; fi
if [ -z "${INPUT_PLAN_FILE:-}" ] || [ -z "${INPUT_REPORT:-}" ]; then
  notice 'There is no plan to comment on.'
  exit 0
fi
made_by_plan "$INPUT_PLAN_FILE" "${INPUT_PLAN_DIGEST:-}"
hash=$(jq -r .trueup.plan_hash "$MADE")
made_by_plan "$INPUT_REPORT" "${INPUT_REPORT_DIGEST:-}"
if ! [[ $hash =~ ^sha256:[0-9a-f]{64}$ ]]; then fail 'the plan has no hash'; fi
line=$(marker plan)

body=$(mktemp)
trap 'rm -f -- "$body"' EXIT
{
  printf '%s\n<!-- plan-hash %s of %s -->\n' "$line" "$hash" "$head"
  # The report begins with a marker of its own.
  tail -n +2 "$MADE"
} > "$body"

# A run that is slow, or was started again, would put an older plan in the place of a newer one.
newest=$(gh api "repos/$GITHUB_REPOSITORY/pulls/$number" 2> /dev/null | jq -r '.head.sha // empty') || newest=''
if [ -n "$newest" ] && [ "$newest" != "$head" ]; then
  notice 'The pull request has a newer commit: its own plan is commented.'
  exit 0
fi
keep_comment "$number" "$line" "$body" 'the plan stands in the summary of the plan step'
