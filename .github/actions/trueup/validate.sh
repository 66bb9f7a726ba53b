#!/usr/bin/env bash
# Checks the files, offline and without any secret: safe for whatever a pull request brings.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
unset TRUEUP_API_KEY TRUEUP_API_KEY_FILE NEON_API_KEY

if is_fork; then notice 'This pull request comes from a fork: its files are validated, and it gets no plan and no preview.'; fi
arguments_of validate
run_trueup "${ARGUMENTS[@]}"
exit "$CODE"
