// `trueup completion SHELL`: prints a shell's script, and the candidates that the script requests at each key press.
import { writableOf } from '../../../model/attributes.ts';
import { kinds } from '../../../kinds/index.ts';
import type { Run } from '../../command.ts';
import { consentTypes } from '../../plans/approval.ts';
import { isChosen } from '../../authoring/explanation.ts';
import { exitCodes, UsageError } from '../../process/exit-code.ts';
import type { Io } from '../../process/io.ts';
import { filePlaces } from '../../authoring/shipped-schema.ts';
import type { LoadResult } from '../../../config/load.ts';
import { readFiles } from '../../session/session.ts';
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
  const found = await candidates(program, line, sourcesOf(io, line));
  await io.stdout.write(found.map((candidate) => `${candidate}\n`).join(''));
  return exitCodes.done;
};

function sourcesOf(io: Io, line: readonly string[]): CompletionSources {
  const read = async (): Promise<Pick<LoadResult, 'desired' | 'inPart'> | null> => {
    try {
      return await readFiles({ io, settings: settle(fileFlags(line), io) });
    } catch {
      // Errors are not shown while the user types.
      return null;
    }
  };
  return {
    addresses: async () => (await read())?.desired?.resources.map(({ address }) => address) ?? [],
    projects: async () => (await read())?.inPart.projects.map(({ label }) => label) ?? [],
    attributes: (count) =>
      filePlaces().flatMap(({ path }) => {
        const tail = path.slice(-count);
        return tail.length < count || tail.some(isChosen) ? [] : [tail.join('.')];
      }),
    consents: consentTypes,
    held: () => kinds.flatMap(writableOf),
  };
}

/** The flags on the line that name files, except standard input, which is not read. */
function fileFlags(line: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const names: Readonly<Record<string, string>> = {
    '-f': 'file',
    '--file': 'file',
    '--overlay': 'overlay',
    '--var': 'var',
    '--var-file': 'varFile',
  };
  const flags: Record<string, string[]> = {};
  for (const [at, word] of line.slice(0, -1).entries()) {
    const [, flag = word, given] = /^(--[a-z-]+)=(.*)$/s.exec(word) ?? [];
    const value = given ?? (at + 2 < line.length ? line[at + 1] : undefined);
    const name = names[flag];
    if (name === undefined || value === undefined || value === '-') continue;
    (flags[name] ??= []).push(value);
  }
  return flags;
}

export interface CompletionSources {
  addresses(): Promise<readonly string[]>;
  projects(): Promise<readonly string[]>;
  /** Completions for `trueup explain`: the last `words` keys of every attribute's path in the file, joined by dots. */
  attributes(words: number): readonly string[];
  consents(): readonly string[];
  /** Attributes of live resources, as `trueup hold` names them. */
  held(): readonly string[];
}

interface Cursor {
  readonly program: Command;
  readonly command: Command | undefined;
  readonly current: string;
  readonly sources: CompletionSources;
}

/** Candidates for the last of `words` (which may be empty), sorted; `words` do not include the program's name. */
export async function candidates(
  program: Command,
  words: readonly string[],
  sources: CompletionSources,
): Promise<readonly string[]> {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const first = before.find((word) => !word.startsWith('-') && word !== 'help');
  const command = program.commands.find((one) => one.name() === first);
  if (command === undefined && first !== undefined) return [];
  const all = await possible({ program, command, current, sources }, before.at(-1) ?? '');
  return [...new Set(all)].filter((candidate) => candidate.startsWith(current)).sort();
}

async function possible(cursor: Cursor, previous: string): Promise<readonly string[]> {
  const { program, command, current } = cursor;
  const options = (command ?? program).options;
  const pending = options.find((option) => option.long === previous || option.short === previous);
  if (pending?.required === true) return valuesOf(pending, cursor);
  const [, flag] = /^(--[a-z-]+)=/.exec(current) ?? [];
  if (flag !== undefined) {
    const option = options.find(({ long }) => long === flag);
    const inner = { ...cursor, current: current.slice(flag.length + 1) };
    return option === undefined ? [] : (await valuesOf(option, inner)).map((value) => `${flag}=${value}`);
  }
  if (current.startsWith('-')) return [...options.filter(({ hidden }) => !hidden).flatMap(flagsOf), '--help'];
  return command === undefined ? commandsOf(program) : wordsOf(command, cursor);
}

function commandsOf(program: Command): readonly string[] {
  return [...program.commands.map((one) => one.name()), 'help'];
}

async function wordsOf(command: Command, { current, sources }: Cursor): Promise<readonly string[]> {
  switch (command.name()) {
    case 'hold':
    case 'list':
      return sources.addresses();
    case 'explain':
      return sources.attributes(current.split('.').length);
    case 'schema':
      return schemaNames;
    case 'completion':
      return Object.keys(completionScripts);
    default:
      return [];
  }
}

async function valuesOf(option: Option, { command, current, sources }: Cursor): Promise<readonly string[]> {
  switch (option.long) {
    case '--target':
    case '--exclude':
      return sources.addresses();
    case '--allow': {
      const [action = ''] = current.split(':');
      if (!current.includes(':')) return sources.consents().map((consent) => `${consent}:`);
      return (await sources.addresses()).map((address) => `${action}:${address}`);
    }
    case '--project':
      return sources.projects();
    case '--path':
      return sources.held();
    case '--write': {
      const formats = command?.options.find(({ long }) => long === '--format')?.argChoices ?? [];
      return current.includes('=') ? [] : formats.map((format) => `${format}=`);
    }
    default:
      return option.argChoices ?? [];
  }
}

function flagsOf(option: Option): readonly string[] {
  const long = option.long ?? '';
  return option.optional ? [long, ...(option.argChoices ?? []).map((choice) => `${long}=${choice}`)] : [long];
}

export const completionScripts: Readonly<Record<string, string>> = {
  // bash splits words at = and : (COMP_WORDBREAKS), so the script takes words from the line, and strips the part before the split.
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
  // If the file is sourced, it registers the function; in a folder of $fpath, its first call runs the function.
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
