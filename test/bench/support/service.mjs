// The stub as a process of its own, and its control path, which is not counted.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { benchFolder } from './paths.mjs';

/** Resolves with `{ url, reset({ world, latencyMs }), stats(), stop() }`. */
export async function startService() {
  const child = spawn(process.execPath, [join(benchFolder, 'stub', 'server.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [line] = await once(child.stdout, 'data');
  const origin = `http://127.0.0.1:${/listening (\d+)/.exec(String(line))[1]}`;
  const control = async (path, body) => {
    const reply = await fetch(origin + path, {
      method: 'POST',
      body: JSON.stringify(body ?? {}),
      headers: { connection: 'close' },
    });
    return reply.json();
  };
  return {
    url: `${origin}/api/v2`,
    reset: (setting) => control('/__reset', setting),
    stats: () => control('/__stats'),
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}
