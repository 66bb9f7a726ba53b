// A key whose creation was refused for good: one of that name that a colleague makes then is not taken for what a run left behind.
import { expect, it } from 'vitest';
import { openSite, somebody } from '../../../support/site.ts';

const FILE = 'version: 1\napi_keys: { ci: { secret: { exec: vault } } }\n';

it('leaves the key of a colleague alone, and makes no second one', async () => {
  const { apply, controlPlane, plan } = openSite({ file: FILE, seed: { version: 1 } });
  const fault = { kind: 'reply', status: 422, commit: false, body: '{}' } as const;
  controlPlane.setFaults({ rules: [{ when: { method: 'POST' }, times: 'always', fault }] });
  const { result } = await apply();
  expect(result.steps.map(({ outcome }) => outcome)).toEqual(['failed']);
  controlPlane.setFaults({});
  await somebody(controlPlane, 'POST', '/api_keys', { key_name: 'ci' });
  const next = await plan();
  expect(next.steps).toEqual([]);
  expect(next.diagnostics.map(({ code }) => code)).toContain('secret_missing');
});
