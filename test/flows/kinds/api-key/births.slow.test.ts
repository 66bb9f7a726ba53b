// Keys are born and pruned under every fault and every death of the process, where the reply to a creation tells only id and value.
import { expect, it } from 'vitest';
import type { ExchangeFault } from '../../../../src/control-plane/faults/plan.ts';
import { play, type Played } from '../../../simulation/simulate.ts';
import { faultWords } from '../../../simulation/single-faults.ts';
import type { Schedule } from '../../../simulation/schedule.ts';
import type { Workload } from '../../../simulation/world/workload.ts';
import { inTurn, sampleOf } from '../../../support/full-size.ts';

/** Two keys to be made, one of them behind a program, and one that no file lists any more. */
const WORKLOAD: Workload = {
  name: 'two births and a prune',
  yaml: `version: 1
expect: { has_project: shop-project-000001 }
api_keys_prune: true
api_keys:
  ci: { secret: { file: ci.json } }
  nightly: { secret: { exec: vault } }
  root: {}
`,
  world: {
    version: 1,
    api_keys: [{ name: 'before', id: 800, created_at: '-300d', last_used_at: '-200d' }],
    projects: [{ name: 'shop', id: 'shop-project-000001' }],
  },
  switches: { keyCreateReply: 'id_and_key' },
  allow: [{ action: 'revoke', address: 'api_keys/*' }],
};

const FAULTS: readonly ExchangeFault[] = [
  { kind: 'after-commit-before-reply' },
  { kind: 'late-commit', delayMs: 600_000 },
  { kind: 'garble', how: 'malformed' },
  { kind: 'reply', status: 401, commit: false, body: '{"message":"injected"}' },
];

const base: Schedule = {
  name: WORKLOAD.name,
  seed: 1,
  workload: WORKLOAD,
  faults: [],
  runs: [{}],
  operationMs: { min: 10, max: 20 },
};

/** Every law of the simulation, and: what is pruned goes after each key that is there in the end was made. */
async function violationsOf(schedule: Schedule): Promise<readonly string[]> {
  const { violations, site } = await play(schedule);
  const deeds = site.plane.ledger().map(({ verb, id }) => `${verb} ${id}`);
  const pruned = deeds.indexOf('DELETE 800');
  const live = site.plane.truth.keys().filter(({ name, revokedMs }) => name !== 'root' && revokedMs === undefined);
  const late = live.filter(({ id }) => pruned >= 0 && deeds.indexOf(`POST ${id}`) > pruned);
  return [...violations, ...late.map(({ name }) => `key 800 was pruned before ${name} was made`)];
}

/** Plays each; the violations with what led to them. */
async function playAll(schedules: readonly Schedule[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const schedule of schedules)
    for (const words of await violationsOf(schedule)) found.push(`${schedule.name}: ${words}`);
  return found;
}

async function undisturbed(): Promise<Played> {
  return play(base);
}

it('under every fault of every exchange', { timeout: 120_000 }, async () => {
  const { site, runs } = await undisturbed();
  const exchanges = site.wire.filter(({ run }) => run === runs[0]?.run).length;
  expect(exchanges).toBeGreaterThan(12);
  const schedules = Array.from({ length: exchanges }, (_, at) =>
    inTurn(FAULTS, at).map((fault): Schedule => {
      const name = `${faultWords(fault)} at exchange ${at + 1}`;
      return { ...base, name, faults: [{ when: { nth: at + 1 }, fault }] };
    }),
  ).flat();
  expect(await playAll(schedules)).toEqual([]);
});

it('with a death after every call to the outside, and run again at once', { timeout: 120_000 }, async () => {
  const calls = (await undisturbed()).runs[0]?.life.calls ?? [];
  expect(calls.length).toBeGreaterThan(80);
  const schedules = calls.map((words, at): Schedule => {
    const crash = { call: at + 1, when: 'after' } as const;
    return { ...base, name: `dies after call ${at + 1} (${words})`, runs: [{ crash }, {}] };
  });
  expect(await playAll(sampleOf(schedules, 2))).toEqual([]);
});
