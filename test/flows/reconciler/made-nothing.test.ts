// A service that says that it has made something, and has not: the step fails, the others go on, and no later run is held up by it.
import { describe, expect, it } from 'vitest';
import type { ExchangeFault, FaultPlan, FaultRule } from '../../../src/control-plane/index.ts';
import type { RunResult } from '../../../src/model/outcome/result.ts';
import { COMPUTE, CONTENTS, ID, inShop, MAIN, MAIN_BRANCH, shopWorld, STAGING } from '../../support/shop.ts';
import { openSite, type Site } from '../../support/site.ts';
import { always } from '../../support/faults.ts';

const SEED = shopWorld({
  branches: [
    { ...MAIN_BRANCH, ...CONTENTS },
    { id: STAGING, name: 'used', parent_id: MAIN },
  ],
  computes: [{ id: COMPUTE, branch: 'main' }],
});

const SHOP = `/projects/${ID}`;
/** Another change of the same file, which waits for nothing. */
const OTHER = 'used: { roles: { other: {} } }';
const other = 'shop/branches/used/roles/other';

/** What is made, and where its request goes. */
const CASES: readonly (readonly [what: string, file: string, path: string])[] = [
  ['a branch', inShop(`branches: { ${OTHER}, dev: { from: ${MAIN} } }`), `${SHOP}/branches`],
  ['a role', inShop(`branches: { ${OTHER}, main: { roles: { more: {} } } }`), `${SHOP}/branches/${MAIN}/roles`],
  [
    'a database',
    inShop(`branches: { ${OTHER}, main: { databases: { more: { owner: app } } } }`),
    `${SHOP}/branches/${MAIN}/databases`,
  ],
  [
    'a project',
    `version: 1\nprojects:\n  shop: { branches: { ${OTHER} } }\n  new: { create: { region_id: aws-us-east-2 }, branches: { main: { default: true } } }\n`,
    '/projects',
  ],
  ['a primary', inShop(`branches: { ${OTHER} }`, `computes: { m: { branch_id: ${STAGING} } }`), `${SHOP}/endpoints`],
  ['a permission', inShop(`branches: { ${OTHER} }`, 'permissions: { anna@example.com: {} }'), `${SHOP}/permissions`],
];

const nothing = (path: string): FaultRule => always({ method: 'POST', path }, { kind: 'pretend' });

/** With what a new project has to be allowed by. */
async function applied(site: Site, faults: FaultPlan): Promise<RunResult> {
  site.controlPlane.setFaults({});
  const between = (): void => site.controlPlane.setFaults(faults);
  return (await site.apply({ allow: ['create:new'], between })).result;
}

describe.each(CASES)('%s', (_what, file, path) => {
  it.each<readonly [string, ExchangeFault]>([
    ['', { kind: 'pretend' }],
    [' without naming an operation', { kind: 'garble', how: 'empty-operations' }],
  ])('that was answered%s and never made is not done, and the others are', async (_how, fault) => {
    const account = openSite({ file, seed: SEED });
    const rules = [nothing(path), ...(fault.kind === 'pretend' ? [] : [{ ...nothing(path), fault }])];
    const result = await applied(account, { rules });
    const outcomes = new Map(result.steps.map(({ address, outcome }) => [address, outcome]));
    expect(result.status).toBe('incomplete');
    expect(outcomes.get(other)).toBe('done');
    outcomes.delete(other);
    expect([...outcomes.values()].filter((outcome) => outcome === 'done' || outcome === 'satisfied')).toEqual([]);
    // Somebody tries again at once, with a service that does what it says.
    const again = await applied(account, {});
    expect(again.status).toBe('converged');
    expect(new Set(again.steps.map(({ address }) => address))).toEqual(new Set(outcomes.keys()));
  });
});
