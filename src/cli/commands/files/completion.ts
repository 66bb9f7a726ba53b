// `trueup completion SHELL`: prints the script for a shell, and the candidates that the script asks for.
import { writableOf } from '../../../model/attributes.ts';
import { kinds } from '../../../kinds/index.ts';
import type { Run } from '../../command.ts';
import { consentTypes } from '../../plans/approval.ts';
import { isChosen } from '../../authoring/explanation.ts';
import { exitCodes, UsageError } from '../../process/exit-code.ts';
import { filePlaces } from '../../authoring/shipped-schema.ts';
import type { LoadResult } from '../../../config/load.ts';
import { readFiles } from '../../session/desired-files.ts';
import { settle } from '../../program/settings.ts';
import type { Command, Option } from '../../program/commander.ts';
import { schemaNames } from './schema.ts';

export const run: Run = async ({ io, words, program }) => {
  const [shell = '', ...line] = words;
  const script = completionScripts[shell];
  if (script !== undefined) {
    await io.stdout.write(script);
    return exitCodes.done;
  }
  if (shell !== 'words') throw new UsageError(`there is no completion for "${shell}"`, 'Shells: bash, zsh, fish.');
  // Any error gives no candidates, because messages would disturb the typing.
  const read: Read = async () =>
    Promise.resolve()
      .then(async () => readFiles({ io, settings: settle(fileFlags(line), io) }))
      .catch(() => null);
  const found = await candidates(program, line, read);
  await io.stdout.write(found.map((candidate) => `${candidate}\n`).join(''));
  return exitCodes.done;
};

/** Reads the files named on the command line; null after any error. */
type Read = () => Promise<Pick<LoadResult, 'desired' | 'inPart'> | null>;

const FILE_FLAGS: Readonly<Record<string, string>> = {
  '-f': 'file',
  '--file': 'file',
  '--overlay': 'overlay',
  '--var': 'var',
  '--var-file': 'varFile',
};

/** The file flags on the line, without those that name standard input: completion must not read it. */
function fileFlags(line: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const flags: Record<string, string[]> = {};
  for (const [at, word] of line.slice(0, -1).entries()) {
    const [, flag = word, given] = /^(--[a-z-]+)=(.*)$/s.exec(word) ?? [];
    const value = given ?? (at + 2 < line.length ? line[at + 1] : undefined);
    const name = FILE_FLAGS[flag];
    if (name !== undefined && value !== undefined && value !== '-') (flags[name] ??= []).push(value);
  }
  return flags;
}

/** Sorted candidates for the last word, which may be empty. `words` begin after the program's name. */
async function candidates(program: Command, words: readonly string[], read: Read): Promise<readonly string[]> {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const first = before.find((word) => !word.startsWith('-') && word !== 'help');
  const command = program.commands.find((one) => one.name() === first);
  if (command === undefined && first !== undefined) return [];
  const { options } = command ?? program;
  const previous = before.at(-1) ?? '';
  const valuesOf = async (option: Option, typed: string): Promise<readonly string[]> =>
    (await OFFERS[option.long ?? '']?.(typed, read, options)) ?? option.argChoices ?? [];
  const possible = async (): Promise<readonly string[]> => {
    const pending = options.find((option) => option.long === previous || option.short === previous);
    if (pending?.required === true) return valuesOf(pending, current);
    const [, flag, typed = ''] = /^(--[a-z-]+)=(.*)$/s.exec(current) ?? [];
    const given = options.find(({ long }) => flag !== undefined && long === flag);
    if (given !== undefined) return (await valuesOf(given, typed)).map((value) => `${flag}=${value}`);
    if (current.startsWith('-')) return [...options.filter(({ hidden }) => !hidden).flatMap(flagsOf), '--help'];
    if (command !== undefined) return (await OFFERS[command.name()]?.(current, read, options)) ?? [];
    return [...program.commands.map((one) => one.name()), 'help'];
  };
  return [...new Set(await possible())].filter((candidate) => candidate.startsWith(current)).sort();
}

type Offer = (typed: string, read: Read, options: readonly Option[]) => Promise<readonly string[]>;

const addresses: Offer = async (_typed, read) => (await read())?.desired?.resources.map(({ address }) => address) ?? [];

/** Candidates for the values of flags and for the arguments of commands. */
const OFFERS: Readonly<Record<string, Offer>> = {
  '--target': addresses,
  '--exclude': addresses,
  '--allow': async (typed, read, options) => {
    const [action = '', address] = typed.split(':');
    if (address === undefined) return consentTypes().map((consent) => `${consent}:`);
    return (await addresses(typed, read, options)).map((one) => `${action}:${one}`);
  },
  '--project': async (_typed, read) => (await read())?.inPart.projects.map(({ label }) => label) ?? [],
  '--path': async () => kinds.flatMap(writableOf),
  '--write': async (typed, _read, options) => {
    const formats = options.find(({ long }) => long === '--format')?.argChoices ?? [];
    return typed.includes('=') ? [] : formats.map((format) => `${format}=`);
  },
  hold: addresses,
  list: addresses,
  // Offers the last keys of each path in the file format, as many keys as the user typed.
  explain: async (typed) => {
    const count = typed.split('.').length;
    const tails = filePlaces().map(({ path }) => path.slice(-count));
    return tails.filter((tail) => tail.length === count && !tail.some(isChosen)).map((tail) => tail.join('.'));
  },
  schema: async () => schemaNames,
  completion: async () => Object.keys(completionScripts),
};

function flagsOf(option: Option): readonly string[] {
  const long = option.long ?? '';
  return option.optional ? [long, ...(option.argChoices ?? []).map((choice) => `${long}=${choice}`)] : [long];
}

export const completionScripts: Readonly<Record<string, string>> = {
  // bash splits words at = and :, so the script reads the line itself, and removes what bash has split off from each candidate.
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
  // The last line: in a sourced file, it registers the function. In a file that zsh autoloads, it calls the function.
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
