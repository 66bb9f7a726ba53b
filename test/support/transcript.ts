// Transcripts: a text with `$ command` lines and what they print, run against the real program in memory and compared.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from './loaded-program.ts';
import type { FaultPlan } from '../../src/control-plane/index.ts';
import type { VirtualClock } from './virtual-clock.ts';
import { stateOf } from './state.ts';
import { fakeIo, testClock } from './fake-io.ts';

/** Where the program under test lies. */
const root = join(import.meta.dirname, '../..');

export interface TranscriptOptions {
  readonly cwd: string;
  readonly clock?: VirtualClock;
  readonly env?: Readonly<Record<string, string>>;
  readonly seed?: number;
  /** Of the terminal that it is shown on; left out where the output goes into a pipe. */
  readonly columns?: number;
  /** What goes wrong in the embedded control plane of the next `trueup`. */
  readonly faults?: () => FaultPlan;
  /** Commands besides `trueup`, by their first word: what they print. */
  readonly commands?: Readonly<Record<string, (words: readonly string[]) => Promise<string>>>;
}

interface Block {
  readonly command: string;
  readonly expected: string;
}

/** The commands of a transcript with the output that follows each; lines before the first command are left out. */
function parseTranscript(text: string): readonly Block[] {
  const blocks: { command: string; lines: string[] }[] = [];
  for (const line of text.replace(/\n$/, '').split('\n')) {
    if (line.startsWith('$ ')) blocks.push({ command: line.slice(2), lines: [] });
    else blocks.at(-1)?.lines.push(line);
  }
  return blocks.map(({ command, lines }) => ({ command, expected: lines.join('\n').replace(/\n+$/, '') }));
}

/** Runs every command of the transcript in order; returns the transcript as it really went. */
export async function replay(text: string, options: TranscriptOptions): Promise<string> {
  const clock = options.clock ?? testClock();
  const pieces: string[] = [];
  let seed = options.seed ?? 1;
  for (const { command } of parseTranscript(text)) {
    const words = splitWords(command);
    const [program = '', ...rest] = words;
    const special = options.commands?.[program];
    if (special !== undefined) {
      const said = placeless(await clock.run(special(rest)), options.cwd);
      pieces.push(`$ ${command}`, ...(said === '' ? [] : [said]), '');
      continue;
    }
    if (program !== 'trueup') throw new Error(`a transcript cannot run ${program}`);
    const answerAt = rest.indexOf('<<<');
    const answers = answerAt < 0 ? undefined : [rest.slice(answerAt + 1).join(' ')];
    const argv = answerAt < 0 ? rest : rest.slice(0, answerAt);
    const io = fakeIo({
      cwd: options.cwd,
      clock,
      seed: seed++,
      env: options.env ?? {},
      ...(options.columns === undefined ? {} : { terminal: true, columns: options.columns }),
      ...(answers === undefined ? {} : { answers }),
      ...(options.faults === undefined ? {} : { faults: options.faults() }),
    });
    const code = await clock.run(main(argv, io));
    const output = placeless(io.all(), options.cwd);
    pieces.push(`$ ${command}`, ...(output === '' ? [] : [output]), ...(code === 0 ? [] : [`(exit ${code})`]), '');
  }
  return `${pieces.join('\n').trimEnd()}\n`;
}

/** The schema that init and import name is that of the program that runs, wherever it lies; and so is the state folder anybody's. */
function placeless(text: string, cwd: string): string {
  const named = text.replaceAll(root, '/usr/lib/node_modules/trueup');
  return named.replaceAll(stateOf(cwd), '/home/me/.local/state/trueup/here').trimEnd();
}

/** Words of a command line; single and double quotes group, nothing else is special. */
function splitWords(line: string): string[] {
  return (line.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^(['"])(.*)\1$/s, '$2'));
}

/** The transcript file's text; with UPDATE=1 the file is rewritten with what really happened. */
export async function checkTranscript(
  path: string,
  options: TranscriptOptions,
): Promise<{ readonly expected: string; readonly actual: string }> {
  const expected = readFileSync(path, 'utf8');
  const actual = await replay(expected, options);
  if (process.env['UPDATE'] === '1') writeFileSync(path, actual);
  return { expected: process.env['UPDATE'] === '1' ? actual : expected, actual };
}
