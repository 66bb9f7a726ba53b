# What the steps share: inputs as arguments, outputs and summaries within their limits, and who may do what.
# shellcheck shell=bash
set -euo pipefail

# A step summary may hold 1 MiB; anything larger is dropped as a whole.
SUMMARY_BYTES=1000000

fail() {
  printf '::error title=trueup::%s\n' "$1" >&2
  exit 1
}

notice() {
  printf '::notice title=trueup::%s\n' "$1"
}

# output NAME VALUE: an output of the step. A value of several lines could forge another output.
output() {
  case $2 in *$'\n'* | *$'\r'*) fail "the output $1 would have several lines" ;; esac
  printf '%s=%s\n' "$1" "$2" >> "$GITHUB_OUTPUT"
}

# summary FILE: adds a Markdown file to the summary of the step, when it fits.
summary() {
  [ -f "$1" ] || return 0
  if [ "$(wc -c < "$1")" -gt "$SUMMARY_BYTES" ]; then
    notice 'The report is too large for the summary of the step.'
  else
    cat "$1" >> "$GITHUB_STEP_SUMMARY"
  fi
}

# read_lines TEXT: its lines that are not empty, in the array LINES.
read_lines() {
  LINES=()
  local line
  while IFS= read -r line; do
    line=${line%$'\r'}
    if [ -n "$line" ]; then LINES+=("$line"); fi
  done <<< "$1"
}

# digest FILE: tells whether a file is still the one that an earlier step made.
digest() {
  local sum
  sum=$(sha256sum < "$1")
  printf 'sha256:%s' "${sum%% *}"
}

# made_by_plan FILE DIGEST: leaves in MADE the real path of a file that an earlier step made, and not one that lies in the checkout.
made_by_plan() {
  local temp
  temp=$(readlink -f "${RUNNER_TEMP:-${TMPDIR:-/tmp}}")
  MADE=$(readlink -e -- "$1") || fail 'there is no such plan-file'
  case $MADE in "$temp"/*) ;; *) fail 'a plan is taken from RUNNER_TEMP alone: a checkout can hold any file' ;; esac
  if [ ! -f "$MADE" ]; then fail 'what is there is no file'; fi
  if [ "$(digest "$MADE")" != "$2" ]; then fail 'the file is not the one that the plan step made: its digest differs'; fi
}

# The one place of a repository that names its files, one a line: for all of its workflows, and for the hook.
FILES_FILE=.github/trueup-files

# read_files: the files that are meant, in the array LINES; none where it is the default.
read_files() {
  local line
  read_lines "${INPUT_FILES:-}"
  if [ "${#LINES[@]}" -gt 0 ] || [ ! -e "$FILES_FILE" ]; then return 0; fi
  case $(readlink -f "$FILES_FILE") in
    "$(pwd -P)/$FILES_FILE") ;;
    *) fail "$FILES_FILE leads elsewhere" ;;
  esac
  if [ ! -f "$FILES_FILE" ] || [ "$(wc -c < "$FILES_FILE")" -gt 65536 ]; then fail "$FILES_FILE is no file of at most 64 KiB"; fi
  read_lines "$(tr -d '\000' < "$FILES_FILE")"
  if [ "${#LINES[@]}" -eq 0 ]; then fail "$FILES_FILE names no file"; fi
  for line in ${LINES[@]+"${LINES[@]}"}; do
    case /$line/ in //* | */../* | /-/) fail "$FILES_FILE names a file outside of the checkout" ;; esac
  done
}

# arguments_of COMMAND: the command line that files and further arguments come to, in the array ARGUMENTS.
arguments_of() {
  ARGUMENTS=("$1")
  local line
  read_files
  for line in ${LINES[@]+"${LINES[@]}"}; do ARGUMENTS+=("--file=$line"); done
  read_lines "${INPUT_ARGUMENTS:-}"
  ARGUMENTS+=(${LINES[@]+"${LINES[@]}"})
}

# allowances: the consents of the workflow, one a line, and those of comments, in the array ARGUMENTS.
allowances() {
  local line
  read_lines "${INPUT_ALLOW:-}"
  for line in ${LINES[@]+"${LINES[@]}"}; do ARGUMENTS+=(--allow "$line"); done
  # The consents of comments stand in one line.
  for line in ${CONSENTED:-}; do ARGUMENTS+=(--allow "$line"); done
}

# run_trueup ARGUMENTS…: runs it and leaves its exit code in CODE.
run_trueup() {
  CODE=0
  "$TRUEUP_PROGRAM" "$@" || CODE=$?
  output exit-code "$CODE"
}

# counts FILE FILTER: the outputs that tell how much a list of changes does; FILTER gives the changes.
counts() {
  local lines name value
  lines=$(jq -r "[$2 | .trueup] | {
      changes: length,
      destroy: map(select(.action | IN(\"delete\", \"replace\", \"revoke\"))) | length,
      restart: map(select(.action == \"restart\" or any(.attributes[]; .restarts))) | length,
      disruptive: map(select(any(.impact[]; IN(\"drops_connections\", \"permanent\", \"host_changes\")))) | length
    } | to_entries[] | \"\(.key) \(.value)\"" "$1")
  while read -r name value; do output "$name" "$value"; done <<< "$lines"
}

# event FILTER: a value of the event that started the workflow; empty when there is none.
event() {
  if [ -f "${GITHUB_EVENT_PATH:-}" ]; then jq -r "$1 // empty" "$GITHUB_EVENT_PATH"; fi
}

# True when the commits come from another repository, by a pull request or by a workflow that one started. A comment on a pull
# request does not tell whose it is.
is_fork() {
  local head
  if ! head=$(event 'if .pull_request then .pull_request.head.repo.full_name // "nowhere"
    elif .issue.pull_request then "nowhere"
    elif .workflow_run then .workflow_run.head_repository.full_name // "nowhere" else "" end'); then head=nowhere; fi
  [ -n "$head" ] && [ "$head" != "$GITHUB_REPOSITORY" ]
}

# A stranger's files never meet a credential.
refuse_fork() {
  if is_fork && [ -n "${TRUEUP_API_KEY:-}${TRUEUP_API_KEY_FILE:-}${NEON_API_KEY:-}" ]; then
    fail 'a credential is never used for the pull request of a fork'
  fi
}

# marker WORD: the hidden first line by which a comment or an issue is found again.
marker() {
  local key=${INPUT_KEY:-}
  if ! [[ $key =~ ^[A-Za-z0-9._-]{0,40}$ ]]; then fail 'key takes up to 40 letters, digits, dots, dashes and underscores'; fi
  printf '<!-- trueup %s%s -->' "$1" "${key:+ $key}"
}

# keep_comment NUMBER LINE FILE ELSEWHERE: the file as the one comment of ours that begins with this line.
keep_comment() {
  local comments=repos/$GITHUB_REPOSITORY/issues/$1/comments line=$2 body=$3 elsewhere=$4 found id
  send() {
    jq -n --rawfile body "$body" '{body: $body}' | gh api --silent --method "$1" "$2" --input -
  }
  if ! found=$(gh api --paginate "$comments?per_page=100" 2> /dev/null); then
    notice "The comments cannot be read with this token: $elsewhere."
    return 0
  fi
  id=$(jq -rs --arg author "$INPUT_COMMENT_AUTHOR" --arg line "$line" '
    [.[][] | select(.user.login == $author and (.body | split("\n")[0] | rtrimstr("\r")) == $line)][0].id // empty
  ' <<< "$found")
  if [ -n "$id" ]; then
    send PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" 2> /dev/null && return 0
  else
    send POST "$comments" 2> /dev/null && return 0
  fi
  notice "The comment cannot be written with this token: $elsewhere."
}
