// The light requests and replies of the campaign: the transport makes the same of them as of the real ones.
import { describe, expect, it } from 'vitest';
import { garblings, type ExchangeFault } from '../../src/control-plane/faults/plan.ts';
import type { HttpRequest } from '../../src/client/types.ts';
import { useLightWeb } from './world/light-web.ts';
import { referenceWorkloads } from './world/reference.ts';
import { createSite, sendOf, spawn } from './world/site.ts';

const ENDPOINTS = '/projects/shop-project-000001/endpoints';
const POST = JSON.stringify({ endpoint: { branch_id: 'br-main-000001', type: 'read_only' } });
const faults: readonly (readonly [string, ExchangeFault | null])[] = [
  ['no fault', null],
  ...garblings.map((how) => [`garble ${how}`, { kind: 'garble', how }] as const),
  ['a body cut in the middle', { kind: 'mid-body' }],
  ['a body without its end', { kind: 'mid-body', at: 'end' }],
  ['a body in small pieces', { kind: 'trickle', bytes: 400, everyMs: 50 }],
  ['a redirect', { kind: 'reply', status: 302, commit: false, headers: { location: '/elsewhere' }, body: '' }],
  ['no content', { kind: 'reply', status: 204, commit: true }],
  ['a reset', { kind: 'after-commit-before-reply' }],
];

/** What the transport makes of the exchange: the reply, or what the failure says. */
async function exchanged(fault: ExchangeFault | null, method: 'GET' | 'POST'): Promise<unknown> {
  const workload = referenceWorkloads[0];
  if (workload === undefined) throw new Error('no workload');
  const site = createSite({ seed: 1, world: workload.world });
  if (fault !== null) site.plane.setFaults({ rules: [{ when: { nth: 1 }, fault }] });
  const request: HttpRequest = {
    method,
    path: ENDPOINTS,
    headers: { authorization: `Bearer ${site.keyValues.get(site.ownKeyId) ?? ''}`, 'content-type': 'application/json' },
    body: method === 'POST' ? POST : null,
    signal: new AbortController().signal,
  };
  const outcome = sendOf(
    site,
    spawn(site, null),
    1,
  )(request).catch((error: unknown) => ({
    ...Object.fromEntries(Object.entries(error as Error)),
    message: String(error),
  }));
  return site.time.run(outcome, 3_600_000);
}

describe.each(['GET', 'POST'] as const)('%s with', (method) => {
  it.each(faults)('%s', async (_, fault) => {
    const real = await exchanged(fault, method);
    const stop = useLightWeb();
    const light = await exchanged(fault, method).finally(stop);
    expect(light).toEqual(real);
  });
});
