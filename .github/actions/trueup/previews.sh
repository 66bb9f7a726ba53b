#!/usr/bin/env bash
# Applies a preview set alone: from the files of the default branch, for the pull requests that are open.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

refuse_fork
if ! [[ ${INPUT_TARGET:-} =~ ^[^/*]+/previews/[^/*]+/\*\*$ ]]; then fail 'previews takes a target such as shop/previews/pr/**'; fi
# A pull request must not choose what is made, copied or deleted for it.
at=$(git rev-parse HEAD) || fail 'previews needs a checkout of the default branch'
case ${GITHUB_EVENT_NAME:-} in
  pull_request*)
    if [ "$at" = "${GITHUB_SHA:-}" ] || [ "$at" = "$(event .pull_request.head.sha)" ]; then
      fail 'previews takes the files of the default branch, not those of the pull request'
    fi
    ;;
esac

folder=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/trueup-previews.XXXXXXXX")
export TRUEUP_VAR_OPEN_PRS=$OPEN_PRS TRUEUP_VAR_CLOSED_PRS=$CLOSED_PRS
arguments_of apply
allowances
run_trueup "${ARGUMENTS[@]}" --auto-approve --target "$INPUT_TARGET" --write "markdown=$folder/result.md"
summary "$folder/result.md"
arguments_of preview
if "$TRUEUP_PROGRAM" preview list "${ARGUMENTS[@]:1}" --format json > "$folder/previews.json"; then
  output previews "$folder/previews.json"
  output previews-digest "$(digest "$folder/previews.json")"
fi
exit "$CODE"
