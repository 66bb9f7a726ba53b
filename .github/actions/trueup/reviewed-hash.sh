#!/usr/bin/env bash
# The hash that was reviewed: that of the comment on the merged pull request, if it is of the last commit there.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

line=$(marker plan)
pull=$(gh api "repos/$GITHUB_REPOSITORY/commits/$GITHUB_SHA/pulls" |
  jq -c --arg sha "$GITHUB_SHA" --arg base "$GITHUB_REF_NAME" '
    [.[] | select(.merged_at != null and .merge_commit_sha == $sha and .base.ref == $base)][0] // empty
  ') || fail 'the pull request of this commit cannot be read'
if [ -z "$pull" ]; then fail 'this commit is not the merge of a pull request: apply by a hash that you give'; fi
number=$(jq -r .number <<< "$pull")
head=$(jq -r .head.sha <<< "$pull")

hash=$(gh api --paginate "repos/$GITHUB_REPOSITORY/issues/$number/comments?per_page=100" |
  jq -rs --arg author "$INPUT_COMMENT_AUTHOR" --arg line "$line" --arg head "$head" '
    [.[][] | select(.user.login == $author) | .body | split("\n") | map(rtrimstr("\r"))
      | select(.[0] == $line) | .[1] // ""
      | capture("^<!-- plan-hash (?<hash>sha256:[0-9a-f]{64}) of (?<head>[0-9a-f]+) -->$")
      | select(.head == $head).hash][0] // empty
  ') || fail 'the comments of the pull request cannot be read'
if [ -z "$hash" ]; then fail "no plan of the last commit of pull request $number was commented"; fi
output plan-hash "$hash"
