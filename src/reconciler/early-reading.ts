// The read-back that begins early: projects that are over are read while the last operations of others are waited for.
import type { KindLists } from '../apply/known-reading.ts';
import { READ_BACK_FRESH_MS } from '../apply/tail.ts';
import { ApiFailure } from '../client/failure.ts';
import { readerOf } from '../client/read-only.ts';
import { kinds } from '../kinds/index.ts';
import type { Line } from './connect.ts';

export interface EarlyReading {
  /** Reads the project as soon as few others are being read. */
  begin(projectId: string): void;
  /**
   * The lists of the projects whose reading began in the last ten seconds, once they have arrived. What could not be read, or
   * was not begun, is left to the read-back at the end.
   */
  taken(): Promise<ReadonlyMap<string, KindLists>>;
}

/** Projects that are read at the same time: looks at operations go on beside. */
const READS_AT_ONCE = 8;

interface Reading {
  readonly startedAtMs: number;
  readonly lists: Promise<KindLists | null>;
}

export function createEarlyReading(
  { client, clock }: Pick<Line, 'client' | 'clock'>,
  signal: AbortSignal,
): EarlyReading {
  const readings = new Map<string, Reading>();
  let waiting: string[] = [];
  let underWay = 0;

  const readNext = (): void => {
    const projectId = underWay < READS_AT_ONCE ? waiting.shift() : undefined;
    if (projectId === undefined) return;
    underWay++;
    const lists = readProject(client, projectId, signal).finally(() => {
      underWay--;
      readNext();
    });
    // Whoever takes it learns of it.
    lists.catch(() => undefined);
    readings.set(projectId, { startedAtMs: clock.monotonicMs(), lists });
  };
  return {
    begin(projectId) {
      waiting.push(projectId);
      readNext();
    },
    async taken() {
      waiting = [];
      const sinceMs = clock.monotonicMs() - READ_BACK_FRESH_MS;
      const fresh = [...readings].filter(([, { startedAtMs }]) => startedAtMs >= sinceMs);
      const taken = await Promise.all(fresh.map(async ([id, { lists }]) => [id, await lists] as const));
      return new Map(taken.flatMap(([id, lists]) => (lists === null ? [] : [[id, lists] as const])));
    },
  };
}

/** Null when it could not be read. */
async function readProject(client: Line['client'], projectId: string, signal: AbortSignal): Promise<KindLists | null> {
  const ofProjects = kinds.flatMap(({ remote }) => (remote.scope === 'project' ? [remote] : []));
  try {
    const lists = ofProjects.map(
      async (remote) => [remote.kind, await remote.list(readerOf(client), projectId, signal)] as const,
    );
    return new Map(await Promise.all(lists));
  } catch (error) {
    if (error instanceof ApiFailure || signal.aborted) return null;
    throw error;
  }
}
