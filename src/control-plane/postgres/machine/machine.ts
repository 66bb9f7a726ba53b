// The machine of the Postgres servers: programs, user, folders, clock, and a watchman process.
import type { Clock } from '../../../base/time/clock.ts';
import type { Random } from '../../../base/random.ts';
import type { Places } from './places.ts';
import { type Programs, BARE_ENVIRONMENT, type SystemUser } from './programs.ts';
import { spawn, type ChildProcess } from 'node:child_process';

export interface Machine {
  readonly programs: Programs;
  readonly user: SystemUser | undefined;
  readonly places: Places;
  readonly watchman: Watchman;
  /** The real clock, because the processes run in real time. */
  readonly clock: Clock;
  readonly random: Random;
  readonly adminPassword: string;
  readonly poolerPassword: string;
}

export const ADMIN = 'cloud_admin';
/** The user of the poolers, which may only call the function that reads a role's password. */
export const POOLER = 'cloud_pooler';
export const SUPERUSER_GROUP = 'neon_superuser';

/** Each input line lists process ids. When input ends, stops the processes of the last line and removes the folder. */
const SCRIPT = `
alive() { for id in $ids; do kill -0 "$id" 2>/dev/null && return 0; done; return 1; }
while read -r line; do ids=$line; done
for id in $ids; do kill -INT "$id" 2>/dev/null; done
turns=0
while alive && [ $turns -lt 100 ]; do sleep 0.1; turns=$((turns + 1)); done
for id in $ids; do kill -QUIT "$id" 2>/dev/null; done
rm -rf -- "$1"
`;

export interface Watchman {
  /** Makes the watchman stop process `pid`, until it has `ended`, when the server's own process dies. */
  watch(pid: number, ended: Promise<void>): void;
  /** Makes the watchman remove its folder and exit. Resolves when the watchman is gone. */
  dismiss(): Promise<void>;
}

/** When our process dies, a detached shell stops the watched processes and removes `folder`, which we must own. */
export function startWatchman(folder: string): Watchman {
  const child: ChildProcess = spawn('/bin/sh', ['-c', SCRIPT, 'watchman', folder], {
    cwd: '/',
    env: BARE_ENVIRONMENT,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Errors are ignored: the watchman is needed only if our process is killed.
  child.on('error', () => undefined);
  child.stdin?.on('error', () => undefined);
  const pids = new Set<number>();
  const tell = (): void => void child.stdin?.write(`${[...pids].join(' ')}\n`);
  return {
    watch: (pid, ended) => {
      const forget = (): void => {
        pids.delete(pid);
        tell();
      };
      pids.add(pid);
      tell();
      void ended.then(forget);
    },
    dismiss: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.pid === undefined) resolve();
        child.once('exit', () => resolve());
        child.stdin?.end();
      }),
  };
}

interface Daemon {
  readonly child: ChildProcess;
  /** Resolves when the process is gone, also if it could not start. */
  readonly ended: Promise<void>;
  readonly isUp: () => boolean;
}

/** Starts a program that runs until it is stopped; the watchman stops it when our process dies. */
export function startDaemon(
  { user, watchman }: Machine,
  program: string,
  args: readonly string[],
  stderr: 'pipe' | 'ignore',
): Daemon {
  const child = spawn(program, args, {
    ...user,
    cwd: '/',
    env: BARE_ENVIRONMENT,
    // A session of its own keeps signals of our terminal away from the process.
    detached: true,
    stdio: ['ignore', 'ignore', stderr],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const { pid } = child;
  if (pid !== undefined) watchman.watch(pid, ended);
  return { child, ended, isUp: () => pid !== undefined && child.exitCode === null && child.signalCode === null };
}
