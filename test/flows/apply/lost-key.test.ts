// Protects the keys beside a lost one: what was there before, and what cannot be told from ours, is never revoked for it.
import { describe, expect, it } from 'vitest';
import { SinkFailure, type SecretSink } from '../../../src/apply/sinks/sink.ts';
import { isJsonObject } from '../../../src/base/json.ts';
import { isoTime } from '../../../src/base/time/clock.ts';
import type { ExchangeFault } from '../../../src/control-plane/faults/plan.ts';
import { keysNamed, keyStep, createRig, runSteps, type Rig, place } from './harness.ts';
import { always } from '../../support/faults.ts';

async function makeElsewhere(rig: Rig): Promise<string> {
  const reply = await rig.client.write('POST', '/api_keys', { key_name: 'ci' });
  return isJsonObject(reply) ? String(reply['id']) : '';
}

async function liveIds(rig: Rig): Promise<readonly string[]> {
  rig.plane.setFaults({});
  return (await keysNamed(rig, 'ci')).map(({ id }) => id);
}

const lost = (fault: ExchangeFault) => ({ rules: [{ when: { method: 'POST', path: '/api_keys' }, fault }] });

it('a key of the name that nobody ever used, but that was there before, is no newcomer: none is reported', async () => {
  const rig = createRig();
  const old = await rig.clock.run(makeElsewhere(rig));
  const faults = lost({ kind: 'after-send-before-commit' });
  const run = await runSteps(rig, [keyStep('ci', [old])], { openSinks: () => [place], faults });
  expect(run.result.steps[0]?.outcome).toBe('unknown');
  expect(run.result.steps[0]?.message).not.toContain(old);
  expect(await liveIds(rig)).toEqual([old]);
});

/** A place that takes nothing. */
const full: SecretSink = {
  ...place,
  reserve: async () => ({
    store: async () => Promise.reject(new SinkFailure('memory', 'the disk is full')),
    revert: async () => undefined,
    release: async () => undefined,
  }),
};

describe('a reply that names, as just made, what was there before', () => {
  const post = { method: 'POST', path: '/api_keys' };
  const naming = (id: string, isMade: boolean) => ({
    rules: [
      ...(isMade ? [] : [always(post, { kind: 'pretend' })]),
      always(post, { kind: 'rewrite', at: 'id', value: Number(id) }),
    ],
  });
  const production = async (rig: Rig): Promise<string> => {
    rig.plane.issueKey('production');
    return rig.plane.truth.keys().find(({ name }) => name === 'production')?.id ?? '';
  };
  const own = async (rig: Rig): Promise<string> => rig.plane.truth.keys().find(({ name }) => name === 'root')?.id ?? '';
  const namesake = async (rig: Rig): Promise<string> => rig.clock.run(makeElsewhere(rig));
  const cases = { 'of another name': production, 'of the name': namesake, "of the run's own": own };

  it('the value that the run itself comes with is stored nowhere', async () => {
    const rig = createRig();
    const stored: string[] = [];
    const value = rig.plane.rootKey?.reveal() ?? '';
    const run = await runSteps(rig, [keyStep('ci')], {
      openSinks: () => [place],
      faults: [always(post, { kind: 'rewrite', at: 'key', value })],
      onSecret: ({ status }) => stored.push(status),
    });
    expect(['failed', 'unknown']).toContain(run.result.steps[0]?.outcome);
    expect(stored).not.toContain('stored');
    expect(rig.plane.truth.keys().map(({ name }) => name)).toContain('root');
  });

  for (const [whose, idOf] of Object.entries(cases))
    for (const sink of [place, full]) {
      const stores = sink === full ? 'fails' : 'would do';
      it(`a key ${whose}, where the store ${stores}: nothing is stored, and it is left alone`, async () => {
        const rig = createRig();
        const id = await idOf(rig);
        const stored: string[] = [];
        const run = await runSteps(rig, [keyStep('ci', whose === 'of the name' ? [id] : [])], {
          openSinks: () => [sink],
          faults: naming(id, false),
          onSecret: ({ status }) => stored.push(status),
        });
        expect(run.result.steps[0]).toMatchObject({ outcome: 'unknown' });
        expect(run.result.steps[0]?.message).toContain(`the reply names ${id}, which existed before`);
        expect(run.writes).toEqual(['POST /api_keys']);
        expect(stored).toEqual([]);
        expect(rig.plane.truth.keys().find((key) => key.id === id)?.revokedMs).toBeUndefined();
      });
    }

  for (const sink of [place, full])
    it(`one that no list had shown, made long ago, where the store ${sink === full ? 'fails' : 'would do'}`, async () => {
      const rig = createRig();
      const id = await namesake(rig);
      await rig.clock.advance(7 * 86_400_000);
      const createdAt = rig.plane.truth.keys().find((key) => key.id === id)?.createdMs ?? 0;
      const run = await runSteps(rig, [keyStep('ci')], {
        openSinks: () => [sink],
        faults: [
          ...naming(id, false).rules,
          always(post, { kind: 'rewrite', at: 'created_at', value: isoTime(createdAt) }),
          { when: { method: 'GET', path: '/api_keys' }, times: 2, fault: { kind: 'list', how: 'empty' } },
        ],
      });
      expect(run.result.steps[0]).toMatchObject({ outcome: 'unknown' });
      expect(run.writes).toEqual(['POST /api_keys']);
      expect(rig.plane.truth.keys().find((key) => key.id === id)?.revokedMs).toBeUndefined();
    });

  it('what it really made is told of, since nothing proves whose it is', async () => {
    const rig = createRig();
    const id = await production(rig);
    const run = await runSteps(rig, [keyStep('ci')], { openSinks: () => [place], faults: naming(id, true) });
    expect(run.result.steps[0]).toMatchObject({ outcome: 'unknown' });
    expect(run.writes).toEqual(['POST /api_keys']);
    const [made = ''] = await liveIds(rig);
    expect(run.result.steps[0]?.message).toContain(made);
    expect(rig.plane.truth.keys().find((key) => key.id === id)?.revokedMs).toBeUndefined();
  });
});

describe('a service that does what it refuses with "come later"', () => {
  const refusal = (status: number): ExchangeFault => ({ kind: 'reply', commit: true, status, body: '{}' });

  it.each([503, 429, 423])('%i: a key that appeared is reported, and none is made beside it', async (status) => {
    const rig = createRig();
    const old = await rig.clock.run(makeElsewhere(rig));
    const faults = { rules: [{ when: { method: 'POST', path: '/api_keys' }, times: 2, fault: refusal(status) }] };
    const run = await runSteps(rig, [keyStep('ci', [old])], { openSinks: () => [place], faults });
    expect(run.result.steps[0]?.outcome).toBe('unknown');
    expect(run.writes).toEqual(['POST /api_keys']);
    const [, made = ''] = await liveIds(rig);
    expect(run.result.steps[0]?.message).toContain(made);
  });
});
