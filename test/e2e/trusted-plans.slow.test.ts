// The plan key in the built program: a plan that is not signed, or signed otherwise, is refused.
import { createHmac } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/base/json.ts';
import { openDesk, RESIZE, worldOf } from './support/desk.ts';
import { cleanUp } from './support/program.ts';
import { startServer } from './support/server.ts';

afterAll(cleanUp);
const server = await startServer({ world: worldOf('signed') });

interface Loose {
  [key: string]: Loose & Loose[] & string;
}

describe.concurrent('a plan key', () => {
  it('signs what is saved, and lets nothing else be applied', async () => {
    const desk = openDesk(server, 'signed');
    desk.wish(RESIZE);
    const key = 'a key that nobody guesses';
    const env = { TRUEUP_PLAN_KEY: key };
    await desk.run(['plan', '-o', 'plan.json']);
    const unsigned = await desk.run(['apply', 'plan.json', '--format', 'json'], { env });
    expect([unsigned.code, unsigned.out]).toEqual([1, expect.stringContaining('"code": "plan_unsigned"')]);
    const planned = await desk.run(['plan', '-o', 'plan.json'], { env });
    const { trueup, ...others } = JSON.parse(desk.read('plan.json')) as Loose;
    const { signature, ...details } = trueup as Loose;
    const mac = createHmac('sha256', key).update(canonicalJson({ ...others, trueup: details }));
    expect(signature).toBe(`hmac-sha256:${mac.digest('hex')}`);
    const wrong = await desk.run(['apply', 'plan.json'], { env: { TRUEUP_PLAN_KEY: 'another key' } });
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('not signed with this TRUEUP_PLAN_KEY')]);
    expect(await desk.ledger()).toEqual([]);
    const applied = await desk.run(['apply', 'plan.json'], { env });
    expect(applied).toMatchObject({ code: 0 });
    for (const { out, err } of [planned, wrong, applied]) expect(out + err).not.toContain(key);
    expect(desk.read('plan.json')).not.toContain(key);
  });
});
