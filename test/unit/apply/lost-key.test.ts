// Protects the keys beside a lost one: what was there before, and what cannot be told from ours, is never revoked for it.
import { expect, it } from 'vitest';
import type { SecretSink } from '../../../src/apply/secrets/sink.ts';
import { isJsonObject } from '../../../src/base/json.ts';
import type { ExchangeFault } from '../../../src/control-plane/faults/plan.ts';
import { apiKey } from '../../../src/kinds/api-key/index.ts';
import type { Step } from '../../../src/model/plan.ts';
import { createRig, runSteps } from './harness.ts';
import type { Rig } from './harness.ts';

const KEYS = { remote: apiKey.remote, canonical: apiKey.rules.canonical, marks: apiKey.rules.fingerprint };

const place: SecretSink = {
  label: 'memory',
  check: async () => ({ state: 'absent', id: null, name: null, reason: null }),
  reserve: async () => ({
    store: async () => undefined,
    revert: async () => undefined,
    release: async () => undefined,
  }),
};

/** A new key `ci` beside those known. */
function rotation(known: readonly string[]): Step {
  return {
    id: 'rotate:api_keys/ci',
    address: 'api_keys/ci',
    kind: KEYS.remote.kind,
    action: 'rotate',
    projectId: null,
    method: 'POST',
    path: '/api_keys',
    body: { key_name: 'ci' },
    needs: [],
    expects: { state: 'absent', joins: { where: { name: 'ci' }, known } },
    achieves: { name: 'ci' },
    options: {},
  };
}

async function makeElsewhere(rig: Rig): Promise<string> {
  const reply = await rig.client.write('POST', '/api_keys', { key_name: 'ci' });
  return isJsonObject(reply) ? String(reply['id']) : '';
}

async function liveIds(rig: Rig): Promise<readonly string[]> {
  rig.plane.setFaults({});
  const keys = await rig.clock.run(KEYS.remote.list(rig.client, null, new AbortController().signal));
  return keys.filter(({ spec }) => spec['name'] === 'ci').map(({ id }) => id);
}

const lost = (fault: ExchangeFault) => ({ rules: [{ when: { method: 'POST', path: '/api_keys' }, fault }] });

it('a key of the name that nobody ever used, but that was there before, stays', async () => {
  const rig = createRig();
  const old = await rig.clock.run(makeElsewhere(rig));
  const faults = lost({ kind: 'after-commit-before-reply' });
  const run = await runSteps(rig, [rotation([old])], { kinds: [KEYS], openSinks: () => [place], faults });
  expect(run.result.steps[0]?.outcome).toBe('done');
  const live = await liveIds(rig);
  expect(live).toContain(old);
  expect(live).toHaveLength(2);
});

it('of two newcomers neither is revoked, since none of them is surely ours', async () => {
  const rig = createRig();
  const meanwhile = rig.clock.sleep(1000).then(async () => makeElsewhere(rig));
  const faults = lost({ kind: 'black-hole', commit: true });
  const run = await runSteps(rig, [rotation([])], { kinds: [KEYS], openSinks: () => [place], faults });
  const others = await meanwhile;
  expect(run.result.steps[0]?.outcome).toBe('unknown');
  const live = await liveIds(rig);
  expect(live).toContain(others);
  expect(live).toHaveLength(2);
});
