// Processes that take one job after the other: a process that has warmed up is worth keeping.
import { fork } from 'node:child_process';
import { versions } from 'node:process';

/**
 * Worlds live for milliseconds: a nursery of a fixed middle size spares most of the collecting and stays near the processor. Plain machine
 * code at once: of thousands of functions that run now and then, few are worth optimising soon; over a campaign, those are.
 */
const FLAGS = ['--min-semi-space-size=32', '--max-semi-space-size=32', '--always-sparkplug'];
// Later versions of Node.js refuse this one.
if (versions.node.startsWith('20.')) FLAGS.push('--interrupt-budget=300000');

/** A process that has done so many jobs is replaced, because its memory grows and slows it down. */
const JOBS_MAX = 40;

/** Runs `jobs` on so many processes of `script`; resolves with `{ job, result, seconds }` of each, in the order of `jobs`. */
export async function workAll(script, jobs, workers, onDone = () => undefined) {
  const results = [];
  let next = 0;
  const hire = async () => {
    const child = fork(script, [], { execArgv: FLAGS, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    try {
      for (let done = 0; done < JOBS_MAX && next < jobs.length; done++) {
        const at = next++;
        const begunMs = performance.now();
        const result = await ask(child, jobs[at]);
        results[at] = { job: jobs[at], result, seconds: (performance.now() - begunMs) / 1000 };
        onDone(results[at]);
      }
    } finally {
      child.kill();
    }
  };
  const work = async () => {
    while (next < jobs.length) await hire();
  };
  await Promise.all(Array.from({ length: Math.min(workers, jobs.length) }, work));
  return results;
}

function ask(child, job) {
  return new Promise((resolve, reject) => {
    const ended = (code) => reject(new Error(`a worker ended with code ${code}: ${JSON.stringify(job)}`));
    child.once('exit', ended);
    child.once('message', ({ result, problem }) => {
      child.off('exit', ended);
      if (problem === undefined) resolve(result);
      else reject(new Error(`${JSON.stringify(job)}: ${problem}`));
    });
    child.send(job);
  });
}
