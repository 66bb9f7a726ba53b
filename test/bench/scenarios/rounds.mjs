// What the scenarios share: a service and a folder per contender, one measured run, and what the service saw of it.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { measure } from '../support/measure.mjs';
import { startService } from '../support/service.mjs';

export const LATENCY_MS = 20;
export const newFolder = (context) => mkdtempSync(join(context.folder, 'run-'));

/** Runs `work(service)` with a service of its own. */
export async function withService(work) {
  const service = await startService();
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

/** One run of a contender: what `measure` gives, and `stats` of the service. */
export async function runOnce(service, setup) {
  const { command, ...setting } = setup;
  const result = await measure(command, setting);
  return { ...result, stats: await service.stats() };
}

/** A run that ended badly is said, never counted as a time. */
export function complaintOf({ code, stderr, stdout }) {
  if (code === 0) return undefined;
  const lines = `${stderr}\n${stdout}`.split('\n').filter((text) => text.trim() !== '');
  const line = lines.find((text) => /error/i.test(text) && !/^\s*(at |file:)/.test(text)) ?? lines[0] ?? '';
  return `exit ${code}: ${line.trim().replaceAll('|', '/').slice(0, 100)}`;
}

export const messageOf = (error) => (error instanceof Error ? error.message : String(error));
