// A worker of a campaign: takes one job after the other from its parent and answers each with what it counted.
import process from 'node:process';
import { keyWorkloads, playCrashes, playFaults, playKeys, playSeeds, type Seeds, type Share } from './jobs.ts';
import { retell } from './retell.ts';
import { emptyTally, type Tally } from './tally.ts';
import { useLightWeb } from './world/light-web.ts';
import { referenceWorkloads } from './world/reference.ts';

type Job =
  | { readonly job: 'list' }
  | ({ readonly job: 'faults' | 'crashes' } & Share)
  | { readonly job: 'keys'; readonly workload: number }
  | Seeds
  | { readonly job: 'story'; readonly name: string; readonly folder: string | null };

/** A tally, a told story, or the names of the workloads. */
async function answer(job: Job): Promise<unknown> {
  // Stacks cost more than the errors; a story that is told again has them.
  Error.stackTraceLimit = job.job === 'story' ? 30 : 0;
  if (job.job === 'list') return { names: referenceWorkloads.map(({ name }) => name), keys: keyWorkloads };
  if (job.job === 'story') return retell(job.name, job.folder);
  const tally: Tally = emptyTally();
  if ('from' in job) await playSeeds(job, tally);
  else if (job.job === 'faults') await playFaults(job, tally);
  else if (job.job === 'crashes') await playCrashes(job, tally);
  else await playKeys(job.workload, tally);
  return tally;
}

useLightWeb();
process.on('disconnect', () => process.exit());
process.on('message', (job: Job) => {
  void answer(job).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ problem: error instanceof Error ? error.stack : String(error) }),
  );
});
