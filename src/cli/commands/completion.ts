// `trueup completion SHELL`: the script for a shell; `words` is what that script asks at each key press.
import { candidates, completionScripts } from '../completion.ts';
import type { Run } from '../command.ts';
import { exitCodes } from '../exit-code.ts';
import { readFiles } from '../session.ts';
import { UsageError } from '../usage-error.ts';

export const completion: Run = async ({ io, settings, words, program }) => {
  const [shell = '', ...line] = words;
  const script = completionScripts[shell];
  if (script !== undefined) {
    await io.stdout.write(script);
    return exitCodes.done;
  }
  if (shell !== 'words') throw new UsageError(`there is no completion for "${shell}"`, 'There are: bash, zsh, fish.');
  const found = await candidates(program, line, async () => {
    const { desired } = await readFiles(io, settings);
    return desired?.resources.map(({ address }) => address) ?? [];
  });
  await io.stdout.write(found.map((candidate) => `${candidate}\n`).join(''));
  return exitCodes.done;
};
