// `trueup completion SHELL`: prints the script for a shell. The script calls `completion words` at each key press.
import { writableOf } from '../../../model/attributes.ts';
import { kinds } from '../../../kinds/index.ts';
import { candidates, type CompletionSources } from '../../program/completion.ts';
import { completionScripts } from '../../program/completion-scripts.ts';
import type { Run } from '../../command.ts';
import { consentTypes } from '../../plans/allowances.ts';
import { isChosen } from '../../authoring/explanation.ts';
import { exitCodes } from '../../process/exit-code.ts';
import type { Io } from '../../process/io.ts';
import { filePlaces } from '../../authoring/schema-places.ts';
import type { LoadResult } from '../../../config/load.ts';
import { readFiles } from '../../session/session.ts';
import { settle } from '../../program/settings.ts';
import { UsageError } from '../../program/usage-error.ts';

export const completion: Run = async ({ io, words, program }) => {
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
      return await readFiles(io, settle(fileFlags(line), io));
    } catch {
      // Errors stay silent while the user types.
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

/** The flags of the line that name files; standard input is not read. */
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
