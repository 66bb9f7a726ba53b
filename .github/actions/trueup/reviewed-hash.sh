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

found=$(gh api --paginate "repos/$GITHUB_REPOSITORY/issues/$number/comments?per_page=100" |
  jq -rs --arg author "$INPUT_COMMENT_AUTHOR" --arg line "$line" --arg head "$head" '
    .[][] | select(.user.login == $author) | .node_id as $node | (.body // "") | split("\n") | map(rtrimstr("\r"))
      | select(.[0] == $line) | .[1] // ""
      | capture("^<!-- plan-hash (?<hash>sha256:[0-9a-f]{64}) of (?<head>[0-9a-f]+) -->$")
      | select(.head == $head) | "\(.hash) \($node // "")"
  ') || fail 'the comments of the pull request cannot be read'
if [ -z "$found" ]; then fail "no plan of the last commit of pull request $number was commented"; fi

# Whoever may write to the repository may edit every comment. Where nobody tells who did, the author has to do.
# shellcheck disable=SC2016 # The variable is one of the query.
query='query($id: ID!) { node(id: $id) { ... on IssueComment { editor { login } } } }'
hash=''
while read -r one node; do
  if [ -n "$hash" ] && [ "$hash" != "$one" ]; then fail "comments on pull request $number tell different plans of its last commit"; fi
  hash=$one
  if [ -z "$node" ]; then continue; fi
  editor=$(gh api graphql -f "query=$query" -f "id=$node" 2> /dev/null | jq -r '.data.node.editor.login // empty') || editor=''
  case $editor in
    '' | "$INPUT_COMMENT_AUTHOR" | "${INPUT_COMMENT_AUTHOR%"[bot]"}") ;;
    *) fail "the comment with the plan of pull request $number was edited by somebody else" ;;
  esac
done <<< "$found"
output plan-hash "$hash"
output number "$number"
output author "$(jq -r '.user.login // empty' <<< "$pull")"
