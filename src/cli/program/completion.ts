// Candidates for the next word of a command line: commands, flags, their values, addresses, attributes.
import type { Command, Option } from './commander.ts';
import { schemaNames } from '../commands/files/schema.ts';
import { completionScripts } from './completion-scripts.ts';

/** Sources beyond the command line itself; a list is empty if it cannot be read. */
export interface CompletionSources {
  /** Addresses that the files of the line declare. */
  addresses(): Promise<readonly string[]>;
  projects(): Promise<readonly string[]>;
  /** Attributes of the file as `trueup explain` takes them, with this number of words between dots. */
  attributes(words: number): readonly string[];
  /** Consent types of `--allow`. */
  consents(): readonly string[];
  /** Attributes of live resources, as holds name them. */
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

/** Candidates for a command's own words; the shell completes files. */
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

/** A flag whose value is optional takes it with `=`. */
function flagsOf(option: Option): readonly string[] {
  const long = option.long ?? '';
  return option.optional ? [long, ...(option.argChoices ?? []).map((choice) => `${long}=${choice}`)] : [long];
}
