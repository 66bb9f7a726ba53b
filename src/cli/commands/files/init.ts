// `trueup init`: writes a starter file whose plan works against a new local server.
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { schemaLine } from '../../authoring/shipped-schema.ts';
import { writeNew } from '../../authoring/edited-files.ts';
import { exitCodes, UsageError } from '../../process/exit-code.ts';
import type { Run } from '../../command.ts';
import { initRetention } from './init-retention.ts';

const STARTER = `# Desired state of the account. Attributes you do not write are not managed. Nothing is deleted unless this file asks for it.
# To try it on the local server: trueup plan --local
version: 1

projects:
  shop: # the project's name in the API (or add an id: line)
    branches: { main: br-wispy-meadow-118737 } # short names for branch ids
    computes:
      primary: # your name for it: the address is shop/primary
        branch: main
        autoscaling_limit_min_cu: 0.25
        autoscaling_limit_max_cu: 2
        suspend_timeout_seconds: 10m
      reports:
        branch: main
        type: read_only
        autoscaling_limit_min_cu: 0.25
        autoscaling_limit_max_cu: 1
`;

export const run: Run = async (invocation) => {
  const { io, settings, flags } = invocation;
  const shown = settings.files[0] ?? 'trueup.yaml';
  if (typeof flags['retention'] === 'string') return initRetention(invocation, shown, flags['retention']);
  const path = resolve(io.cwd, shown);
  if (existsSync(path)) throw new UsageError(`${shown} exists already`, 'Give another name with -f, or edit the file.');
  writeNew(path, `${schemaLine(dirname(path))}\n${STARTER}`, shown, io);
  // If the user has set a base URL, the suggested command is not for the local server.
  const where = settings.baseUrl === null ? ' --local' : '';
  const which = shown === 'trueup.yaml' ? '' : ` -f ${shown}`;
  await io.stdout.write(`Wrote ${shown}. Next: trueup plan${where}${which}\n`);
  return exitCodes.done;
};
