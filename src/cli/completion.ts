// What may come next on a command line: commands, flags, their choices, and addresses from the files.
import type { Command, Option } from './commander.ts';

/** Gives the addresses that the files declare; empty when they cannot be read. */
export type Addresses = () => Promise<readonly string[]>;

const ADDRESS_FLAGS: ReadonlySet<string> = new Set(['--target', '--exclude']);
const ADDRESS_COMMANDS: ReadonlySet<string> = new Set(['hold', 'list']);

/** Candidates for the last of `words` (which may be empty), sorted; `words` do not include the program's name. */
export async function candidates(
  program: Command,
  words: readonly string[],
  addresses: Addresses,
): Promise<readonly string[]> {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const command = program.commands.find((one) => one.name() === before.find((word) => !word.startsWith('-')));
  const all = await possible(program, { command, previous: before.at(-1) ?? '', current }, addresses);
  return all.filter((candidate) => candidate.startsWith(current)).sort();
}

interface Place {
  readonly command: Command | undefined;
  readonly previous: string;
  readonly current: string;
}

async function possible(
  program: Command,
  { command, previous, current }: Place,
  addresses: Addresses,
): Promise<readonly string[]> {
  const options = (command ?? program).options;
  const pending = options.find((option) => option.long === previous || option.short === previous);
  if (pending?.required === true) return valuesOf(pending, addresses);
  if (current.startsWith('-')) return options.flatMap(flagsOf);
  if (command === undefined) return program.commands.map((one) => one.name());
  return ADDRESS_COMMANDS.has(command.name()) ? addresses() : [];
}

async function valuesOf(option: Option, addresses: Addresses): Promise<readonly string[]> {
  if (ADDRESS_FLAGS.has(option.long ?? '')) return addresses();
  return option.argChoices ?? [];
}

/** A flag whose value is optional takes it with `=`. */
function flagsOf(option: Option): readonly string[] {
  const long = option.long ?? '';
  return option.optional ? [long, ...(option.argChoices ?? []).map((choice) => `${long}=${choice}`)] : [long];
}

/** The script that a shell sources; it asks the program itself each time. */
export const completionScripts: Readonly<Record<string, string>> = {
  bash: `_trueup() {
  local IFS=$'\\n'
  COMPREPLY=($(trueup completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -o bashdefault -F _trueup trueup
`,
  zsh: `#compdef trueup
_trueup() {
  local -a found
  found=("\${(@f)$(trueup completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  (( \${#found} )) && compadd -- $found || _files
}
compdef _trueup trueup
`,
  fish: `function __trueup_complete
  set -l words (commandline -opc) (commandline -ct)
  trueup completion words -- $words[2..-1] 2>/dev/null
end
complete -c trueup -a '(__trueup_complete)'
`,
};
