#!/usr/bin/env bash
# The consents that people gave to the blocked plan: `/trueup allow ACTION:ADDRESS HASH`, the first line of a comment on the pull request.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case $INPUT_CONSENTS in
  writers | reviewers) ;;
  *) fail 'consents takes none, writers or reviewers' ;;
esac
number=${REVIEWED_NUMBER:-$(event .pull_request.number)}
author=${REVIEWED_AUTHOR:-$(event .pull_request.user.login)}
if ! [[ $number =~ ^[0-9]+$ && ${PLAN_HASH:-} =~ ^sha256:[0-9a-f]{64}$ ]]; then exit 0; fi

found=$(gh api --paginate "repos/$GITHUB_REPOSITORY/issues/$number/comments?per_page=100" |
  jq -rs --arg hash "$PLAN_HASH" '
    .[][] | select(.user.type == "User" and .created_at == .updated_at) | .user.login as $login | .node_id as $node
      | (.body // "") | split("\n")[0] | rtrimstr("\r")
      | capture("^/trueup allow (?<allow>[a-z]+:[A-Za-z0-9._%/*-]+) (?<hash>sha256:[0-9a-f]{64})$") | select(.hash == $hash)
      | "\($login) \($node // "-") \(.allow)"
  ') || fail 'the comments of the pull request cannot be read'

# Whether somebody may write to the repository is asked now: a right that has ended gives no consent.
may_write() {
  local permission
  permission=$(gh api "repos/$GITHUB_REPOSITORY/collaborators/$1/permission" 2> /dev/null | jq -r '.permission // empty') || return 1
  [ "$permission" = admin ] || [ "$permission" = write ]
}

is_unedited() {
  # shellcheck disable=SC2016 # The variable is one of the query.
  local query='query($id: ID!) { node(id: $id) { ... on IssueComment { lastEditedAt } } }'
  gh api graphql -f "query=$query" -f "id=$1" 2> /dev/null |
    jq -e '.data.node | has("lastEditedAt") and .lastEditedAt == null' > /dev/null
}

allowed=''
people=''
while read -r login node allow; do
  if ! [[ $login =~ ^[A-Za-z0-9-]+$ ]]; then continue; fi
  if [ "$INPUT_CONSENTS" = reviewers ] && [ "$login" = "$author" ]; then
    notice "A consent of $login does not count: $login is the author of the pull request."
  elif ! may_write "$login"; then
    notice "A consent of $login does not count: $login may not write to this repository."
  elif ! is_unedited "$node"; then
    notice "A consent of $login does not count: the comment was edited, or GitHub does not tell whether it was."
  else
    allowed="$allowed $allow"
    people="$people \`$allow\` by @$login;"
  fi
done <<< "$found"
output allow "${allowed# }"
output people "${people# }"
