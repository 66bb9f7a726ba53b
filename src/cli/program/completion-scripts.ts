// The scripts that shells source. They have no lists of their own: each asks the program.

export const completionScripts: Readonly<Record<string, string>> = {
  // bash splits words at = and : (COMP_WORDBREAKS): the script reads the words from the line, and removes the part before the split again.
  bash: `_trueup() {
  local line=\${COMP_LINE:0:COMP_POINT} current kept found
  local -a words
  read -a words <<< "$line"
  case $line in *[[:space:]]) words+=('') ;; esac
  current=\${words[\${#words[@]}-1]}
  current=\${current#[\\'\\"]}
  words[\${#words[@]}-1]=$current
  kept=\${current%"\${current##*[=:]}"}
  COMPREPLY=()
  while IFS= read -r found; do
    COMPREPLY+=("\${found#"$kept"}")
  done < <(trueup completion words -- "\${words[@]:1}" 2>/dev/null)
  case "\${#COMPREPLY[@]} \${COMPREPLY[0]-}" in "1 "*[=:]) compopt -o nospace 2>/dev/null ;; esac
  return 0
}
complete -o default -o bashdefault -F _trueup trueup
`,
  // The file is sourced, or lies in a folder of $fpath: then its first call runs the function itself.
  zsh: `#compdef trueup
_trueup() {
  local -a found whole begun
  found=(\${(f)"$(trueup completion words -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)"})
  (( \${#found} )) || { _files; return }
  begun=(\${(M)found:#*[=:]})
  whole=(\${found:#*[=:]})
  (( \${#begun} )) && compadd -S '' -- $begun
  (( \${#whole} )) && compadd -- $whole
  return 0
}
if [[ $funcstack[1] == _trueup ]]; then _trueup "$@"; else compdef _trueup trueup; fi
`,
  fish: `function __trueup_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -e words[1]
  set -l found (trueup completion words -- $words "$current" 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path "$current"
  end
end
complete -c trueup -f -a '(__trueup_complete)'
`,
};
