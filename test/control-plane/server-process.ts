// Starts server-child.mjs, which runs the built package, and speaks to it.
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { built } from '../e2e/support/program.ts';

export interface ServerProcess {
  readonly base: string;
  readonly key: string;
  readonly startMs: number;
  /** Resident memory now, and processor time since the start. */
  usage(): Promise<{ readonly memoryMb: number; readonly cpuMs: number }>;
  /** Kills it as a power cut would: no handler runs. */
  kill(): Promise<void>;
}

/** Starts a server on `dataDir` and waits until it listens. */
export async function startServer(dataDir: string, options: object = {}): Promise<ServerProcess> {
  built();
  const script = fileURLToPath(new URL('server-child.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, dataDir, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Record<string, number>> => {
    const line = (await lines.next()) as IteratorResult<string, undefined>;
    if (line.done === true) throw new Error(`the server ended with ${child.exitCode}`);
    return JSON.parse(line.value) as Record<string, number>;
  };
  const { port, startMs = 0 } = await next();
  return {
    base: `http://127.0.0.1:${port}/api/v2`,
    key: readFileSync(join(dataDir, 'root-key'), 'utf8').trim(),
    startMs,
    usage: async () => {
      child.stdin.write('usage\n');
      const { memoryMb = Infinity, cpuMs = Infinity } = await next();
      return { memoryMb, cpuMs };
    },
    kill: () => killed(child),
  };
}

function killed(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}
