// Runs one command of a client in a world of its own: no settings, no credentials and no telemetry of whoever starts it.
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const DEADLINE_MS = 90_000;
const guard = new URL('loopback-only.mjs', import.meta.url).href;

/** The environment of every process that the run starts. */
export function isolatedEnvironment(folder, extra = {}) {
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  return {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: folder,
    CI: '1',
    DO_NOT_TRACK: '1',
    NO_COLOR: '1',
    NODE_OPTIONS: `--import=${guard}`,
    CLIENTS_REFUSED_LOG: process.env.CLIENTS_REFUSED_LOG,
    ...extra,
  };
}

/** Runs `node FILE ARG…` and tells how it ended; `json` reads its stdout. */
export function runNode(args, { cwd, env }) {
  return new Promise((resolve) => {
    const options = { cwd, env, timeout: DEADLINE_MS, maxBuffer: 16 * 1024 * 1024 };
    const child = execFile(process.execPath, args, options, (error, stdout, stderr) => {
      const exit = child.exitCode ?? `signal ${child.signalCode ?? 'unknown'}`;
      resolve({ exit, stdout, stderr, json: () => JSON.parse(stdout) });
    });
    child.stdin.end();
  });
}
