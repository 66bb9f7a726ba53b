#!/bin/sh
# --sink ci-deploy=/opt/sinks/aws.sh
set -eu
find() {
  answer=$(aws secretsmanager describe-secret --secret-id "trueup/$1" 2>&1 >/dev/null </dev/null) && return 0
  case "$answer" in *ResourceNotFoundException*) return 3 ;; esac
  printf '%s\n' "$answer" >&2
  return 1
}
found=0
find "$2" || found=$?
case "$1:$found" in
  check:*) exit "$found" ;;
  put:0) aws secretsmanager put-secret-value --secret-id "trueup/$2" --secret-string file:///dev/stdin >/dev/null ;;
  put:3) aws secretsmanager create-secret --name "trueup/$2" --secret-string file:///dev/stdin >/dev/null ;;
  put:*) exit 1 ;;
  *) exit 64 ;;
esac
