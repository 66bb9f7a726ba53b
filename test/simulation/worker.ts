// A worker of a campaign: takes one job as JSON, plays its share, and prints the tally as JSON.
import { argv, stdout } from 'node:process';
import { emptyTally, playCrashes, playFaults, playKeys, playSeeds } from './jobs.ts';
import type { KeyExtent, Share } from './jobs.ts';
import { retell } from './retell.ts';

type Job = Share &
  (
    | { readonly job: 'faults' | 'crashes' }
    | ({ readonly job: 'keys' } & KeyExtent)
    | { readonly job: 'seeds'; readonly from: number; readonly to: number }
    | { readonly job: 'seed'; readonly seed: number; readonly folder: string | null }
  );

const job = JSON.parse(argv[2] ?? '{}') as Job;
const tally = emptyTally();
// Stacks cost more than the errors; a seed that is told again has them.
if (job.job !== 'seed') Error.stackTraceLimit = 0;
switch (job.job) {
  case 'faults':
    await playFaults(job, tally);
    break;
  case 'crashes':
    await playCrashes(job, tally);
    break;
  case 'keys':
    await playKeys(job, job, tally);
    break;
  case 'seeds':
    await playSeeds(job, job.from, job.to, tally);
    break;
  default:
    await retell(job.seed, job.folder, (text) => stdout.write(text));
}
if (job.job !== 'seed') stdout.write(`${JSON.stringify(tally)}\n`);
