// `trueup validate`: checks the files, offline.
import { plural } from '../../../base/text/words.ts';
import { hasErrors } from '../../../model/diagnostic.ts';
import { diagnosticsToJson } from '../../../render/machine/diagnostics-json.ts';
import { jsonText } from '../../../render/machine/json-text.ts';
import { exitCodes } from '../../process/exit-code.ts';
import type { Run } from '../../command.ts';
import { checkOutputs, deliver, inputsOf } from '../../output/output.ts';
import { filesOf, readFiles, say } from '../../session/session.ts';

export const validate: Run = async ({ io, settings, words }) => {
  const files = filesOf(settings, words);
  checkOutputs(settings, inputsOf(settings, files));
  const { desired, diagnostics, sources } = await readFiles(io, settings, files);
  const valid = desired !== null && !hasErrors(diagnostics);
  const { length: resources } = desired?.resources ?? [];
  const { length: projects } = desired?.projects ?? [];
  if (settings.format !== 'json') await say(io, settings, diagnostics, sources);
  await deliver(io, settings, {
    human: () =>
      valid && settings.verbosity !== 'quiet'
        ? `Valid: ${plural(resources, 'resource')} in ${plural(projects, 'project')}.\n`
        : '',
    json: () => `${jsonText(diagnosticsToJson(diagnostics, valid), 2)}\n`,
  });
  return valid ? exitCodes.done : exitCodes.error;
};
