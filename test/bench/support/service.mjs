// The stub as a process of its own, and its control path, which is not counted.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { benchFolder } from './paths.mjs';

/** Resolves with `{ url, reset(world, latencyMs, faults), change(), stats(), settle(), stop() }`. */
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
  const service = {
    url: `${origin}/api/v2`,
    reset: (setting) => control('/__reset', setting),
    change: () => control('/__change'),
    stats: () => control('/__stats'),
    /** Waits until no operation runs any more. */
    async settle() {
      for (;;) {
        const stats = await service.stats();
        if (stats.running === 0) return stats;
        await delay(100);
      }
    },
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
  return service;
}
