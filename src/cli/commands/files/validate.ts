// `trueup validate`: checks the files offline.
import { plural } from '../../../base/text/words.ts';
import { diagnosticsToJson, jsonPage } from '../../../render/machine/diagnostics-json.ts';
import { exitCodes } from '../../process/exit-code.ts';
import type { Run } from '../../command.ts';
import { deliver } from '../../output/output.ts';
import { readFiles } from '../../session/desired-files.ts';
import { filesOf, say } from '../../session/session.ts';

export const run: Run = async (invocation) => {
  const { settings, words } = invocation;
  const files = filesOf(settings, words);
  const { desired, diagnostics, sources } = await readFiles(invocation, files);
  const valid = desired !== null;
  const { length: resources } = desired?.resources ?? [];
  const { length: projects } = desired?.projects ?? [];
  if (settings.format !== 'json') await say(invocation, diagnostics, sources);
  await deliver(invocation, {
    human: () =>
      valid && settings.verbosity !== 'quiet'
        ? `Valid: ${plural(resources, 'resource')} in ${plural(projects, 'project')}.\n`
        : '',
    json: () => jsonPage(diagnosticsToJson(diagnostics, valid)),
  });
  return valid ? exitCodes.done : exitCodes.error;
};
