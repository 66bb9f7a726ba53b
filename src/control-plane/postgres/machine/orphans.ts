// Stops postmasters that an earlier run left behind. The pid file in each data folder names them.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kill } from 'node:process';
import { errorCode } from '../../../base/error-code.ts';
import { readOwn } from '../../store/own-file.ts';
import type { Machine } from './machine.ts';
import { run } from './programs.ts';

/** The signals of a fast shutdown, an immediate one and a kill, each with the milliseconds to wait after it. */
const WAYS = [
  ['INT', 10_000],
  ['QUIT', 5000],
  ['KILL', 5000],
] as const;
const LOOK_MS = 20;

export async function endOrphan(folder: string, { user, clock }: Machine): Promise<void> {
  const pid = postmasterOf(folder);
  if (pid === undefined) return;
  for (const [signal, patienceMs] of WAYS) {
    // Runs as the user of Postgres, so that a forged pid file ends no foreign process. A process that has already ended is no error.
    await run('/bin/sh', ['-c', 'kill -s "$1" "$2"', 'sh', signal, String(pid)], user).catch(() => undefined);
    const untilMs = clock.monotonicMs() + patienceMs;
    while (isAlive(pid) && clock.monotonicMs() < untilMs) await clock.sleep(LOOK_MS);
    if (!isAlive(pid)) return;
  }
}

/** The process that the pid file names, if it is a Postgres on this folder and not a later process with the same id. */
function postmasterOf(folder: string): number | undefined {
  const pid = Number(readOwn(join(folder, 'postmaster.pid'))?.split('\n')[0]);
  if (!Number.isSafeInteger(pid) || pid <= 1 || !isAlive(pid)) return undefined;
  return commandOf(pid).includes(folder) ? pid : undefined;
}

/** False for a zombie: a process that has ended, but whose parent has not collected it yet. */
function isAlive(pid: number): boolean {
  try {
    kill(pid, 0);
  } catch (error) {
    // EPERM means that the process exists but belongs to another user.
    return errorCode(error) === 'EPERM';
  }
  const [state] = textOf(`/proc/${pid}/stat`).split(') ').slice(-1);
  return !/^[ZX] /.test(state ?? '');
}

function commandOf(pid: number): string {
  const command = textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
  if (command !== '') return command;
  try {
    return execFileSync('/bin/ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return '';
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
