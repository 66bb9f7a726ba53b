// E-mail addresses as they come: odd ones work wherever an address stands, what is none is told why, and two grants of one are equal.
import { describe, expect, it } from 'vitest';
import type { World } from '../../../../src/control-plane/index.ts';
import { deskBefore } from '../../authoring/desk.ts';
import { ID, inShop, shopWorld } from '../../../support/shop.ts';

const worldOf = (...emails: readonly string[]): World => shopWorld({ permissions: emails.map((email) => ({ email })) });
const file = (...entries: readonly string[]): string =>
  inShop(`id: ${ID}`, 'permissions:', ...entries.map((one) => `  ${one}`));

const ODD: readonly (readonly [email: string, part: string])[] = [
  ['dev/ops@example.com', 'dev%2Fops@example.com'],
  ['Dana+Shop@Example.com', 'Dana+Shop@Example.com'],
  ['50%/*?{a}@example.com', '50%25%2F%2A%3F%7Ba%7D@example.com'],
  [`o'neil!#$&=^_\`|~-.x@example.com`, `o'neil!#$&=^_\`|~-.x@example.com`],
  ['jörg@例え.jp', 'jörg@例え.jp'],
  [`${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.example`, ''],
];

describe('an odd e-mail address', () => {
  it.each(ODD)('%s', async (email, encoded) => {
    const address = `shop/permissions/${encoded === '' ? email : encoded}`;
    const { run, write } = deskBefore(JSON.stringify(worldOf('other@example.com')));
    const json = async (...words: readonly string[]): Promise<Record<string, unknown>> => {
      const { out, err } = await run([...words, '--local', '--format', 'json']);
      expect(err).not.toContain('error');
      return JSON.parse(out) as Record<string, unknown>;
    };
    write('trueup.yaml', file(`${JSON.stringify(email)}: {}`));
    expect(await json('plan', '--target', address)).toMatchObject({
      resource_changes: [{ address, change: { actions: ['create'], after: { email: email.toLowerCase() } } }],
    });
    expect(await run(['apply', '--local', '--auto-approve'])).toMatchObject({ code: 0 });
    expect(await json('plan')).toMatchObject({ trueup: { steps: [] } });
    expect(await json('drift')).toMatchObject({ status: 'in_sync' });

    // What somebody leaves is imported under the same address, and its plan is empty.
    write('trueup.yaml', 'version: 1\n');
    const imported = await run(['import', '--local', '--include', 'permissions']);
    expect([imported.code, imported.err]).toEqual([0, expect.not.stringContaining('left out')]);
    write('trueup.yaml', imported.out);
    expect(await run(['plan', '--local', '--detailed-exitcode'])).toMatchObject({ code: 0 });

    write('trueup.yaml', file(`${JSON.stringify(email)}: { state: absent }`));
    expect(await json('drift')).toMatchObject({ status: 'drifted', changed: [{ address }] });
    expect(await run(['apply', '--local', '--auto-approve'])).toMatchObject({ code: 5 });
    const revoked = await run(['apply', '--local', '--auto-approve', '--allow', `access:${address}`]);
    expect([revoked.code, revoked.out]).toEqual([0, expect.stringContaining('1 destroyed')]);
    expect(await json('plan')).toMatchObject({ trueup: { steps: [] } });
  });
});

describe('two grants of one address', () => {
  const world = JSON.stringify(worldOf('dana@example.com', 'DANA@example.com', 'old@example.com'));
  it('are one permission for a declaration, and nothing else of the project waits', async () => {
    const { run, write } = deskBefore(world);
    write('trueup.yaml', `${file('Dana@example.com: {}', 'new@example.com: {}')}    prune: false\n`);
    expect(await run(['apply', '--local', '--auto-approve', '--allow', 'access:shop/**'])).toMatchObject({ code: 0 });
    const { out } = await run(['plan', '--local']);
    expect(out).toContain('No changes.');
  });

  it('are both revoked by one run', async () => {
    const { run, write } = deskBefore(world);
    write('trueup.yaml', file('Dana@example.com: { state: absent }'));
    const applied = await run([
      'apply',
      '--local',
      '--auto-approve',
      '--allow',
      'access:shop/permissions/Dana@example.com',
    ]);
    expect(applied).toMatchObject({ code: 0, out: expect.stringContaining('2 destroyed') as string });
    write('trueup.yaml', 'version: 1\n');
    const left = await run(['import', '--local', '--include', 'permissions']);
    expect(left.out).toContain('old@example.com');
    expect(left.out.toLowerCase()).not.toContain('dana@');
  });
});
