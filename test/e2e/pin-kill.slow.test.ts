// kill -9 between a write to the account and the id that `apply --pin` writes into the file: no id is lost for good, and none is wrong.
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { RunPoint } from '../../src/apply/run/run.ts';
import { deeds, openDesk, worldOf, type Desk } from './support/desk.ts';
import { cleanUp } from './support/program.ts';
import { APPLY } from './support/recovery.ts';
import { startServer } from './support/server.ts';

// Processes are slow to start on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

/** Two replicas that nothing but their ids tells apart. */
const TWINS = { one: 'branch: main, type: read_only', two: 'branch: main, type: read_only' };
const POINTS: readonly { readonly point: RunPoint; readonly nth: number }[] = [
  { point: 'answered', nth: 1 },
  { point: 'answered', nth: 2 },
  { point: 'acked', nth: 1 },
  { point: 'acked', nth: 2 },
  { point: 'ended', nth: 1 },
  { point: 'executed', nth: 1 },
];

afterAll(cleanUp);
const server = await startServer({ world: worldOf(...POINTS.map(({ point, nth }) => `${point}${nth}`)) });

/** The ids in the file, by label. */
function pinsOf(desk: Desk): Readonly<Record<string, string>> {
  const lines = [...desk.read('trueup.yaml').matchAll(/^ +(one|two): \{.* id: ([a-z0-9-]+)/gm)];
  return Object.fromEntries(lines.map(([, label = '', id = '']) => [label, id]));
}

/** What the journal says that was made, by label. */
function toldOf(desk: Desk): Readonly<Record<string, string>> {
  const notes = [
    ...desk
      .read(desk.state('journal'))
      .matchAll(/"step":"[^"]*\/(one|two)[^"]*","atMs":\d+,"state":"acked","id":"([^"]+)"/g),
  ];
  return Object.fromEntries(notes.map(([, label = '', id = '']) => [label, id]));
}

describe.concurrent('apply --pin, killed', () => {
  it.each(POINTS)('at $point, time $nth: the next runs write what is missing', async ({ point, nth }) => {
    const desk = openDesk(server, `${point}${nth}`);
    desk.wish(TWINS);
    const before = desk.read('trueup.yaml');
    const killed = await desk.run([...APPLY, '--pin'], { env: { TRUEUP_FAILPOINT: `${point}:${nth}` } });
    expect(killed.signal, killed.out + killed.err).toBe('SIGKILL');
    const told = toldOf(desk);
    const written = pinsOf(desk);
    // No id stands there that is not in the journal, nor half of one, and none waits for the end of the run.
    expect(told).toMatchObject(written);
    expect(desk.read('trueup.yaml').replace(/, id: [a-z0-9-]+/g, '')).toBe(before);
    if (point === 'executed') expect(written).toEqual(told);
    const next = await desk.run([...APPLY, '--pin']);
    expect(next.code, next.out + next.err).toBe(0);
    expect(deeds(await desk.ledger())).toEqual(['POST compute', 'POST compute']);
    // The next run writes what it makes itself; nothing that it writes is wrong.
    const madeNow = (await desk.ledger()).map(({ id }) => id);
    expect(madeNow).toEqual(expect.arrayContaining(Object.values(pinsOf(desk))));
    // The rest is not made twice, and `pin` writes it.
    const pin = await desk.run(['pin']);
    expect(pin.code, pin.out + pin.err).toBe(0);
    const made = (await desk.ledger()).map(({ id }) => id);
    expect(Object.values(pinsOf(desk)).sort()).toEqual(made.sort());
    expect(pinsOf(desk)).toMatchObject(told);
    const plan = await desk.run(['plan', '--detailed-exitcode']);
    expect(plan.code, plan.out + plan.err).toBe(0);
  });
});
