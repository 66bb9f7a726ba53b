// `trueup validate`: checks the files, offline.
import { stringifyJson } from '../../base/json.ts';
import { plural } from '../../base/words.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import { diagnosticsToJson } from '../../render/diagnostics-json.ts';
import { exitCodes } from '../exit-code.ts';
import type { Run } from '../command.ts';
import { filesOf, readFiles, say } from '../session.ts';

export const validate: Run = async ({ io, settings, words }) => {
  const { desired, diagnostics, sources } = await readFiles(io, settings, filesOf(settings, words[0]));
  const valid = desired !== null && !hasErrors(diagnostics);
  if (settings.format === 'json') {
    await io.stdout.write(`${stringifyJson(diagnosticsToJson(diagnostics, valid), 2)}\n`);
    return valid ? exitCodes.done : exitCodes.error;
  }
  await say(io, settings, diagnostics, sources);
  if (!valid || desired === null) return exitCodes.error;
  if (settings.verbosity !== 'quiet')
    await io.stdout.write(
      `Valid: ${plural(desired.resources.length, 'resource')} in ${plural(desired.projects.length, 'project')}.\n`,
    );
  return exitCodes.done;
};
