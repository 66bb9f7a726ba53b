#!/usr/bin/env bash
# Finds the program: the one that is named, or that of the action's own commit, built from its own lock file.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case ${INPUT_COMMAND:-} in
  validate | plan | comment | rerun | apply | drift | show | previews) ;;
  *) fail 'command takes validate, plan, comment, rerun, apply, drift, show or previews' ;;
esac
case $INPUT_COMMAND in comment | rerun) exit 0 ;; esac

# A pull request may hold a link in the place of the folder that the workflow names. Only what lies outside of the checkout is the machine's own.
folder=${INPUT_WORKING_DIRECTORY:-.}
case $folder in "$GITHUB_WORKSPACE" | "$GITHUB_WORKSPACE"/*) folder=./${folder#"$GITHUB_WORKSPACE"} ;; esac
case $folder in
  /*) ;;
  *)
    (cd -P "$GITHUB_WORKSPACE" && cd -L "./$folder" 2> /dev/null && [ "$(pwd -L)" = "$(pwd -P)" ]) ||
      fail 'working-directory is not there, or a link leads to it'
    ;;
esac

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
