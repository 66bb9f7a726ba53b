// The watchman: a process that ends what we started when we are gone without a word, as after `kill -9`.
import { spawn, type ChildProcess } from 'node:child_process';
import { BARE_ENVIRONMENT } from './run.ts';

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
