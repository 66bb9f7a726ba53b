// A key whose creation was refused for good: one of that name that a colleague makes then is not taken for what a run left behind.
import { expect, it } from 'vitest';
import { refuses } from '../../../support/faults.ts';
import { openSite, somebody } from '../../../support/site.ts';

const FILE = 'version: 1\napi_keys: { ci: { secret: { exec: vault } } }\n';

it('leaves the key of a colleague alone, and makes no second one', async () => {
  const { apply, controlPlane, plan } = openSite({ file: FILE, seed: { version: 1 } });
  controlPlane.setFaults({ rules: [refuses({ method: 'POST' }, 422)] });
  const { result } = await apply();
  expect(result.steps.map(({ outcome }) => outcome)).toEqual(['failed']);
  controlPlane.setFaults({});
  await somebody(controlPlane, 'POST', '/api_keys', { key_name: 'ci' });
  const next = await plan();
  expect(next.steps).toEqual([]);
  expect(next.diagnostics.map(({ code }) => code)).toContain('secret_missing');
});
