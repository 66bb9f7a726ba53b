// Runs the built program under limits, and measures what it took: processor time, and memory at its most.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newFolder, run } from '../../e2e/support/program.ts';
import { startServer } from '../../e2e/support/server.ts';
import { stateOf } from '../../support/state.ts';
import { KEPT, type Hostile } from './inputs.ts';

export const CPU_LIMIT_S = 20;
export const MEMORY_LIMIT_MIB = 1024;

export interface Judged {
  readonly code: number | null;
  readonly text: string;
  /** Infinity when the program was ended from outside. */
  readonly cpuS: number;
  readonly memoryMiB: number;
}

const METER = fileURLToPath(new URL('meter.mjs', import.meta.url));

export async function judge({ files, args = ['validate'], world }: Hostile): Promise<Judged> {
  const cwd = newFolder('hostile');
  const figures = `${cwd}.json`;
  try {
    for (const [path, text] of Object.entries(files())) {
      const file = path.startsWith(KEPT) ? join(stateOf(cwd), path.slice(KEPT.length)) : join(cwd, path);
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, text);
    }
    const via = ['/bin/sh', '-c', `ulimit -t ${CPU_LIMIT_S + 5}; exec "$@"`, 'sh'];
    const env = { NODE_OPTIONS: `--import=${METER}`, METER_FILE: figures };
    const server = world === undefined ? null : await startServer({ world });
    const account = server === null ? {} : { TRUEUP_API_KEY: server.key, TRUEUP_BASE_URL: server.baseUrl };
    const { code, out, err } = await run(args, { cwd, env: { ...env, ...account }, via });
    server?.process.signal('SIGTERM');
    return { code, text: out + err, ...figuresAt(figures) };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
    rmSync(figures, { force: true });
  }
}

function figuresAt(path: string): Pick<Judged, 'cpuS' | 'memoryMiB'> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Judged;
  } catch {
    return { cpuS: Infinity, memoryMiB: Infinity };
  }
}
