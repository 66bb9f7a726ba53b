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

comments=repos/$GITHUB_REPOSITORY/issues/$number/comments
send() {
  jq -n --rawfile body "$body" '{body: $body}' | gh api --silent --method "$1" "$2" --input -
}
# A run that is slow, or was started again, would put an older plan in the place of a newer one.
newest=$(gh api "repos/$GITHUB_REPOSITORY/pulls/$number" 2> /dev/null | jq -r '.head.sha // empty') || newest=''
if [ -n "$newest" ] && [ "$newest" != "$head" ]; then
  notice 'The pull request has a newer commit: its own plan is commented.'
  exit 0
fi
if ! found=$(gh api --paginate "$comments?per_page=100" 2> /dev/null); then
  notice 'The comments cannot be read with this token: the plan stands in the summary of the plan step.'
  exit 0
fi
id=$(jq -rs --arg author "$INPUT_COMMENT_AUTHOR" --arg line "$line" '
  [.[][] | select(.user.login == $author and (.body | split("\n")[0] | rtrimstr("\r")) == $line)][0].id // empty
' <<< "$found")
if [ -n "$id" ]; then
  send PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" 2> /dev/null && exit 0
else
  send POST "$comments" 2> /dev/null && exit 0
fi
notice 'The comment cannot be written with this token: the plan stands in the summary of the plan step.'
