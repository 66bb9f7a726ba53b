#!/usr/bin/env bash
# The open pull requests of this repository, and the one that was just closed: the keys of a preview set. Those of forks get no preview.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

open=$(gh api --paginate "repos/$GITHUB_REPOSITORY/pulls?state=open&per_page=100" |
  jq -cs --arg repository "$GITHUB_REPOSITORY" '[.[][] | select(.head.repo.full_name == $repository) | .number]') ||
  fail 'the open pull requests cannot be read'
closed='[]'
if [ "$(event .action)" = closed ]; then closed=$(event '[.pull_request.number] | tojson'); fi
output open "$open"
output closed "$closed"
