#!/usr/bin/env bash
# Keeps one comment on the pull request: where the connection of its preview is stored, and until when the preview lives. No value is read.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

number=$(event .pull_request.number)
if ! [[ $number =~ ^[0-9]+$ ]] || [ -z "${PREVIEWS:-}" ] || [ "$(event .action)" = closed ]; then exit 0; fi
made_by_plan "$PREVIEWS" "$PREVIEWS_DIGEST"
line=$(marker preview)
body=$(mktemp)
trap 'rm -f -- "$body"' EXIT
jq -r --arg line "$line" --arg start "${INPUT_TARGET%\*\*}" --arg number "$number" '
  [.previews[] | select(.address == $start + $number)][0] // empty
  | "\($line)\nThe preview `\(.address)` is ready.\n",
    "- branch: `\(.id)`",
    "- connection: \(.secrets | map("`\(.)`") | join(", "))",
    "- expires: \(.expires_at // "never"); each push renews it"
' "$MADE" > "$body"
if [ -s "$body" ]; then keep_comment "$number" "$line" "$body" 'trueup preview list shows the preview'; fi
