// What a signal says: whether anything has begun by then, and what it waits for.
import type { RunView } from '../../render/view/run-state.ts';
import type { StopSignal } from './io.ts';

const LEADS: Readonly<Record<StopSignal, string>> = {
  SIGINT: 'Interrupted',
  SIGTERM: 'Terminated',
  SIGHUP: 'The terminal was closed',
};

/** One line, set apart from the echo of the key. */
export function stopWords(signal: StopSignal, { startedAtMs, running }: RunView): string {
  return `\n${LEADS[signal]}: ${consequence(signal, startedAtMs !== null, running.size)}\n`;
}

function consequence(signal: StopSignal, hasBegun: boolean, running: number): string {
  if (!hasBegun) return 'nothing was changed.';
  if (running === 0) return 'no step is under way, and none starts any more.';
  if (signal !== 'SIGINT') return 'no new step starts; finishing open requests.';
  return `no new step starts; waiting for the ${running === 1 ? 'one' : running} under way (a second signal stops at once).`;
}
