#!/bin/sh
# --sink ci-deploy=/opt/sinks/github.sh
set -eu
secret=$(printf %s "$2" | tr 'a-z.-' 'A-Z__')
case "$1" in
  check)
    names=$(gh secret list --json name --jq '.[].name')
    printf '%s\n' "$names" | grep -qx "$secret" || exit 3
    ;;
  put)
    value=$(jq -er .key)
    printf %s "$value" | gh secret set "$secret"
    ;;
  *) exit 64 ;;
esac
