// The lease of a lock: renewed while the run lasts, so that a run on another machine can tell a living owner from a dead one.
import type { Clock } from '../../base/time/clock.ts';
import { writeWhole, type FileSystem } from '../folder/file-system.ts';
import type { Processes } from './processes.ts';

export interface Lock {
  /** Aborted when another run has taken the lock over, as it may once this one has not renewed it for too long (a suspended machine). */
  readonly lost: AbortSignal;
  /** Never rejects; leaves a lock that is no longer ours alone. */
  release(): Promise<void>;
}

export interface LeaseInput {
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  readonly processes: Processes;
  readonly run: string;
  readonly file: string;
  /** Whether no later owner has taken over. Rejects with the system's error. */
  readonly isNewest: () => Promise<boolean>;
}

const RENEW_EVERY_MS = 5000;
/** All that is ever written into one file has one length: each write replaces the last one whole. */
const DIGITS = 9;

/** What the file of a lock holds after so many renewals. */
export function textOf({ processes, run }: Pick<LeaseInput, 'processes' | 'run'>, renewals: number): string {
  return JSON.stringify({ ...processes.self, run, renewed: String(renewals).padStart(DIGITS, '0') });
}

/** Renews the lock until it is released or lost. */
export function keepLease(input: LeaseInput): Lock {
  const { fileSystem, clock, file, isNewest } = input;
  const over = new AbortController();
  const lost = new AbortController();
  const write = async (text: string): Promise<void> => writeWhole(fileSystem, file, 'write', { text });
  const renew = async (): Promise<void> => {
    for (let renewals = 1; ; renewals++) {
      await clock.sleep(RENEW_EVERY_MS, over.signal);
      // A disk that fails for a moment takes no lock away: only a later owner does.
      await write(textOf(input, renewals)).catch(() => undefined);
      if (await isNewest().catch(() => true)) continue;
      lost.abort(new DOMException('another run has taken over the lock', 'AbortError'));
      return;
    }
  };
  const renewing = renew().catch(() => undefined);
  return {
    lost: lost.signal,
    async release() {
      over.abort();
      await renewing;
      try {
        const length = textOf(input, 0).length;
        if (await isNewest()) await write(JSON.stringify({ released: true }).padEnd(length));
      } catch {
        // A lock that cannot be given back is a dead owner's to the next run.
      }
    },
  };
}
