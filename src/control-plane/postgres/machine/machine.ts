// The machine as Postgres finds it here: its programs, user, folders and time, and a watchman who ends processes when we are gone.
import type { Clock } from '../../../base/time/clock.ts';
import type { Random } from '../../../base/random.ts';
import type { Places } from './places.ts';
import type { Programs } from './programs.ts';
import { BARE_ENVIRONMENT, type SystemUser } from './run.ts';
import { spawn, type ChildProcess } from 'node:child_process';

export interface Machine {
  readonly programs: Programs;
  readonly user: SystemUser | undefined;
  readonly places: Places;
  readonly watchman: Watchman;
  /** Real time: processes know no other. */
  readonly clock: Clock;
  readonly random: Random;
  readonly adminPassword: string;
  readonly poolerPassword: string;
}

export const ADMIN = 'cloud_admin';
/** The user of the poolers: it may call the function that looks a role up, and nothing else. */
export const POOLER = 'cloud_pooler';
/** The group that every API role is a member of. It is no superuser, as with the service. */
export const SUPERUSER_GROUP = 'neon_superuser';

/**
 * Reads the ids of our processes, a line each time that they change. The end of its input is our end: then it asks the last of them to
 * stop, waits, and removes the folder that is its argument.
 */
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
  /** The process with this id is to end with us; `forget` it once it has ended. */
  watch(pid: number): void;
  forget(pid: number): void;
  /** Sends the watchman home: it removes its folder. Resolves when it is gone. */
  dismiss(): Promise<void>;
}

/** Starts a watchman, who removes `folder` at the end, which is ours. It runs in a session of its own. */
export function startWatchman(folder: string): Watchman {
  const child: ChildProcess = spawn('/bin/sh', ['-c', SCRIPT, 'watchman', folder], {
    cwd: '/',
    env: BARE_ENVIRONMENT,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // A watchman that was killed is missed only if we are killed too.
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
