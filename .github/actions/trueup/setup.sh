#!/usr/bin/env bash
# Finds the program: the one that is named, or that of the action's own commit, built from its own lock file.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case ${INPUT_COMMAND:-} in
  validate | plan | comment | apply | drift) ;;
  *) fail 'command takes validate, plan, comment, apply or drift' ;;
esac
if [ "$INPUT_COMMAND" = comment ]; then exit 0; fi

if [ -n "${INPUT_PROGRAM:-}" ]; then
  program=$(command -v "$INPUT_PROGRAM") || fail 'the program that the input names is not there'
else
  root=$(cd "$GITHUB_ACTION_PATH/../../.." && pwd)
  program=$root/dist/cli/bin.js
  if [ ! -x "$program" ]; then
    (cd "$root" && npm ci --ignore-scripts --no-audit --no-fund && npm run --silent build) > /dev/null ||
      fail 'trueup could not be built: it needs Node 20.20 or later (actions/setup-node)'
  fi
fi
output program "$program"
