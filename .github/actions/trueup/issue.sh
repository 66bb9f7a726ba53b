#!/usr/bin/env bash
# Keeps one issue: open while the account differs from the files, closed when it is in sync again.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# What could not be looked at is no news about drift.
case ${DRIFT_EXIT_CODE:-} in
  0 | 2 | 3) ;;
  *) exit 0 ;;
esac
line=$(marker drift)
issues=repos/$GITHUB_REPOSITORY/issues
number=$(gh api --paginate "$issues?state=open&per_page=100" |
  jq -rs --arg author "$INPUT_COMMENT_AUTHOR" --arg line "$line" '
    [.[][] | select(.pull_request == null and .user.login == $author and
      ((.body // "") | split("\n")[0] | rtrimstr("\r")) == $line)] | min_by(.number).number // empty
  ') || fail 'the issues cannot be read with this token'

send() {
  gh api --silent --method "$1" "$2" --input - || fail 'the issue cannot be written with this token'
}
if [ "$DRIFT_EXIT_CODE" = 0 ]; then
  if [ -z "$number" ]; then exit 0; fi
  jq -n '{body: "The account is as the files say again."}' | send POST "$issues/$number/comments"
  jq -n '{state: "closed", state_reason: "completed"}' | send PATCH "$issues/$number"
  exit 0
fi
body=$(mktemp)
trap 'rm -f -- "$body"' EXIT
{
  printf '%s\n' "$line"
  # The report begins with a marker of its own.
  tail -n +2 "$DRIFT_REPORT"
} > "$body"
if [ -n "$number" ]; then
  jq -n --rawfile body "$body" '{body: $body}' | send PATCH "$issues/$number"
else
  jq -n --arg title "$INPUT_ISSUE" --rawfile body "$body" '{title: $title, body: $body}' | send POST "$issues"
fi
