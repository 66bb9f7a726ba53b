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
  /** Makes the watchman stop process `pid` when the server's own process dies. Call `forget` once `pid` has ended. */
  watch(pid: number): void;
  forget(pid: number): void;
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
    watch: (pid) => {
      pids.add(pid);
      tell();
    },
    forget: (pid) => {
      pids.delete(pid);
      tell();
    },
    dismiss: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.pid === undefined) resolve();
        child.once('exit', () => resolve());
        child.stdin?.end();
      }),
  };
}
