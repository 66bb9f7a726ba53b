// What a removal was planned for is gone, and somebody has made it anew under another id: that is not what was asked for.
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { openSite, somebody, type Asked, type Site, type SiteOptions } from '../../support/site.ts';
import { inShop } from '../../support/shop.ts';
import { MAIN, SHOP } from './fleet.ts';

const DEV = 'br-dev-100000';
const PROJECT = `/projects/${SHOP}`;

const LOG = { name: 'log', owner_name: 'app' };

const SEED: SiteOptions['seed'] = {
  version: 1,
  api_keys: [{ name: 'old', id: 900, created_at: '-90d', last_used_at: '-80d' }],
  projects: [
    {
      id: SHOP,
      name: 'shop',
      branches: [
        { id: MAIN, name: 'main', default: true, roles: ['app', 'extra'], databases: [LOG] },
        { id: DEV, name: 'dev', parent_id: MAIN },
        { id: 'br-used-100000', name: 'used', parent_id: MAIN },
      ],
      computes: [
        { id: 'ep-used-100000', branch: 'used' },
        { id: 'ep-read-100000', branch: 'used', type: 'read_only' },
        { id: 'ep-report-100000', branch: 'main', type: 'read_only', name: 'report' },
        { id: 'ep-other-100000', branch: 'main', type: 'read_only', name: 'other' },
      ],
    },
  ],
};

type Request = readonly [method: 'POST' | 'DELETE', path: string, body?: JsonObject];

/** What is to go, the address of the consent to that, and how somebody removes it and makes it anew. */
const CASES: Readonly<Record<string, readonly [file: string, address: string | null, remove: Request, make: Request]>> =
  {
    'a primary': [
      inShop('computes: { gone: { branch_id: br-used-100000, state: absent } }'),
      null,
      ['DELETE', `${PROJECT}/endpoints/ep-used-100000`],
      ['POST', `${PROJECT}/endpoints`, { endpoint: { branch_id: 'br-used-100000', type: 'read_write' } }],
    ],
    'a replica': [
      inShop('computes: { gone: { branch_id: br-used-100000, type: read_only, state: absent } }'),
      null,
      ['DELETE', `${PROJECT}/endpoints/ep-read-100000`],
      ['POST', `${PROJECT}/endpoints`, { endpoint: { branch_id: 'br-used-100000', type: 'read_only' } }],
    ],
    'a replica with a name': [
      inShop(`computes: { gone: { branch_id: ${MAIN}, type: read_only, name: report, state: absent } }`),
      null,
      ['DELETE', `${PROJECT}/endpoints/ep-report-100000`],
      ['POST', `${PROJECT}/endpoints`, { endpoint: { branch_id: MAIN, type: 'read_only', name: 'report' } }],
    ],
    'a branch': [
      inShop('branches: { dev: { state: absent } }'),
      'shop/branches/dev',
      ['DELETE', `${PROJECT}/branches/${DEV}`],
      ['POST', `${PROJECT}/branches`, { branch: { name: 'dev', parent_id: MAIN } }],
    ],
    'a role': [
      inShop('branches: { main: { roles: { app: {}, extra: { state: absent } } } }'),
      'shop/branches/main/roles/extra',
      ['DELETE', `${PROJECT}/branches/${MAIN}/roles/extra`],
      ['POST', `${PROJECT}/branches/${MAIN}/roles`, { role: { name: 'extra' } }],
    ],
    'a database': [
      inShop('branches: { main: { databases: { log: { state: absent } } } }'),
      'shop/branches/main/databases/log',
      ['DELETE', `${PROJECT}/branches/${MAIN}/databases/log`],
      ['POST', `${PROJECT}/branches/${MAIN}/databases`, { database: { name: 'log', owner_name: 'app' } }],
    ],
    'a key': [
      'version: 1\napi_keys: { old: { state: absent } }\n',
      null,
      ['DELETE', '/api_keys/900'],
      ['POST', '/api_keys', { key_name: 'old' }],
    ],
    'a project': [
      'version: 1\nprojects: { shop: { state: absent } }\n',
      'shop',
      ['DELETE', PROJECT],
      ['POST', '/projects', { project: { name: 'shop' } }],
    ],
  };

/** As somebody else; what is busy is asked again. */
async function send({ controlPlane, clock }: Site, [method, path, body]: Request): Promise<void> {
  while ((await somebody(controlPlane, method, path, body)).status === 423) await clock.sleep(1000);
  await clock.sleep(5000);
}

const MODES = [
  ['a saved plan', { isSaved: true }],
  ['a plan that was asked about', { hasPaused: true }],
] as const;

describe.each(Object.entries(CASES))('%s', (_what, [file, address, remove, make]) => {
  const allow = address === null ? [] : [`drop:${address}`];
  /** Plans with what consents to the loss, lets somebody act, and applies. */
  const statusAfter = async (mode: Asked, ...requests: readonly Request[]): Promise<string> => {
    const site = openSite({ file, seed: SEED, operationMs: { min: 1000, max: 1000 } });
    const between = async (plan: Plan): Promise<void> => {
      expect(plan.steps.map(({ achieves }) => achieves)).toEqual([null]);
      for (const request of requests) await send(site, request);
    };
    return (await site.apply({ allow, between, ...mode })).result.status;
  };

  it.each(MODES)('that was made anew makes %s stale', async (_mode, how) => {
    expect(await statusAfter(how, remove, make)).toBe('stale');
  });

  it.each(MODES)('that is gone is done, by %s', async (_mode, how) => {
    expect(await statusAfter(how, remove)).toBe('converged');
  });
});
