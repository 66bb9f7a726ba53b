// Plan keys and hashes in the built program: a plan that is signed otherwise, or of other guards, is refused.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { canonicalJson, digestOf } from '../../src/base/json.ts';
import { openDesk, worldOf, type Desk } from './support/desk.ts';
import { cleanUp } from './support/program.ts';
import { startServer, type Server } from './support/server.ts';

// Processes are slow to start on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let server: Server;
beforeAll(async () => {
  server = await startServer({
    world: worldOf('signed', 'filed', 'hashed'),
  });
});
afterAll(cleanUp);

interface Loose {
  [key: string]: Loose & Loose[] & string;
}

/** The plan with an edit, and its digests as they have to be then. */
function forge(desk: Desk, edit: (whole: Loose) => void): void {
  const whole = JSON.parse(desk.read('plan.json')) as Loose;
  edit(whole);
  const { plan_digest: _digest, signature: _signature, ...details } = whole['trueup'] as Loose;
  const rest = { ...whole, trueup: details };
  desk.write('forged.json', JSON.stringify({ ...rest, trueup: { ...details, plan_digest: digestOf(rest) } }));
}

const RESIZE = { primary: 'branch: main, autoscaling_limit_max_cu: 2' };

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
    // Whoever can mend the digests cannot mend the signature.
    forge(desk, (whole) => (whole['timestamp'] = '2020-01-01T00:00:00.000Z' as never));
    desk.write(
      'forged.json',
      desk.read('forged.json').replace('"plan_digest"', `"signature":"${String(signature)}","plan_digest"`),
    );
    expect(await desk.run(['apply', 'forged.json'], { env })).toMatchObject({ code: 1 });
    expect(await desk.ledger()).toEqual([]);
    const applied = await desk.run(['apply', 'plan.json'], { env });
    expect(applied).toMatchObject({ code: 0 });
    for (const { out, err } of [planned, wrong, applied]) expect(out + err).not.toContain(key);
    expect(desk.read('plan.json')).not.toContain(key);
  });

  it('may stand in a file; without it a signed plan is applied like every other one', async () => {
    const desk = openDesk(server, 'filed');
    desk.wish(RESIZE);
    desk.write('key', 'of a file\n');
    const env = { TRUEUP_PLAN_KEY_FILE: 'key' };
    await desk.run(['plan', '-o', 'plan.json'], { env });
    const both = await desk.run(['apply', 'plan.json'], { env: { ...env, TRUEUP_PLAN_KEY: 'x' } });
    expect([both.code, both.err]).toEqual([1, expect.stringContaining('two plan keys')]);
    expect(await desk.run(['apply', 'plan.json'], { env: { TRUEUP_PLAN_KEY_FILE: 'missing' } })).toMatchObject({
      code: 1,
    });
    expect(await desk.run(['apply', 'plan.json'], { env })).toMatchObject({ code: 0 });
    expect(await desk.run(['apply', 'plan.json'])).toMatchObject({ code: 0 });
  });
});

it.concurrent('a hash covers the guards and the sinks: the plan of other ones is shown and refused', async () => {
  const desk = openDesk(server, 'hashed');
  const keys = (sink: string): string => `api_keys: { ci: { secret: { file: ${sink} } } }\n`;
  desk.wish(RESIZE, `safety: { max_deletes: 1 }\n${keys('ci.json')}`);
  const planned = await desk.run([
    'plan',
    '--format',
    'json',
    '--write',
    'human=plan.txt',
    '--write',
    'markdown=plan.md',
  ]);
  const { plan_hash: hash } = (JSON.parse(planned.out) as { trueup: { plan_hash: string } }).trueup;
  for (const file of ['plan.txt', 'plan.md']) expect(desk.read(file)).toContain('→ file:ci.json');
  const expectHash = async (): Promise<string> => {
    const { code, err } = await desk.run(['apply', '--expect-hash', hash]);
    expect(code).toBe(4);
    return err.replace(/\s+/g, ' ');
  };
  desk.wish(RESIZE, keys('ci.json'));
  expect(await expectHash()).toContain('The files, the account or the flags differ from the reviewed plan.');
  desk.wish(RESIZE, `safety: { max_deletes: 1 }\n${keys('other.json')}`);
  expect(await expectHash()).toContain('→ file:other.json');
  expect(await desk.ledger()).toEqual([]);
});
