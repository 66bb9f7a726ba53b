// Postmasters that an earlier run left behind: found by the file that each keeps in its folder, and ended.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kill } from 'node:process';
import type { Clock } from '../../../base/time/clock.ts';
import { isAlive, toldByPs } from '../../store/process-identity.ts';

/** A fast shutdown; then one at once; then none at all. Each with the time that it is given, milliseconds. */
const WAYS = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 5000],
  ['SIGKILL', 5000],
] as const;
const LOOK_MS = 20;

/** Ends the postmaster that runs in `folder`, if there is one, so that the next one finds the folder free. */
export async function endOrphan(folder: string, clock: Clock): Promise<void> {
  const pid = postmasterOf(folder);
  if (pid === undefined) return;
  for (const [signal, patienceMs] of WAYS) {
    tell(pid, signal);
    const untilMs = clock.monotonicMs() + patienceMs;
    while (isAlive(pid) && clock.monotonicMs() < untilMs) await clock.sleep(LOOK_MS);
    if (!isAlive(pid)) return;
  }
}

function tell(pid: number, signal: NodeJS.Signals): void {
  try {
    kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

/** The process that the folder's pid file names, if that is a Postgres on this folder and not a later one with the same id. */
function postmasterOf(folder: string): number | undefined {
  const file = join(folder, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (!Number.isSafeInteger(pid) || pid <= 1 || !isAlive(pid)) return undefined;
  return commandOf(pid).includes(folder) ? pid : undefined;
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return toldByPs(pid, 'command');
  }
}
