#!/usr/bin/env bash
# Runs the newest workflow run of the commented pull request again. Nothing of the pull request is checked out.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

number=$(event .issue.number)
if ! [[ $number =~ ^[0-9]+$ ]]; then fail 'rerun belongs into a workflow on issue_comment'; fi
head=$(gh api "repos/$GITHUB_REPOSITORY/pulls/$number" | jq -r .head.sha)
if ! [[ $head =~ ^[0-9a-f]{40,64}$ ]]; then fail 'the pull request cannot be read'; fi
runs=repos/$GITHUB_REPOSITORY/actions/workflows/pull-request.yml/runs
run=$(gh api "$runs?event=pull_request&per_page=1&head_sha=$head" | jq -r '.workflow_runs[0].id // empty')
if [ -z "$run" ]; then
  notice 'The pull request has no run of pull-request.yml.'
  exit 0
fi
gh api --silent --method POST "repos/$GITHUB_REPOSITORY/actions/runs/$run/rerun"
