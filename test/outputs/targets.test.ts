// `--target` and `--exclude` where no plan is shown: keys, operations and what is imported are those that are meant.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clearDesks, desk, type Desk } from './desk.ts';

let account: Desk;
beforeAll(async () => {
  account = desk({});
  await account.api('POST', '/api_keys', '{"key_name":"ci-deploy"}');
});
afterAll(clearDesks);

const LOCAL = '--local';

describe('a target', () => {
  it('of keys', async () => {
    const { out, err } = await account.run('keys', LOCAL, '--format', 'json', '--target', 'api_keys/ci-*');
    const { keys } = JSON.parse(out) as { readonly keys: readonly { readonly name: string }[] };
    expect(
      keys.map(({ name }) => name),
      err,
    ).toEqual(['ci-deploy']);
  });

  it('of an import', async () => {
    const all = await account.run('import', LOCAL);
    const [id] = /ep-[a-z0-9-]+/.exec(all.out) ?? [''];
    const one = await account.run('import', LOCAL, '--target', `*/${id}`);
    expect([...all.out.matchAll(/ep-[a-z0-9-]+/g)].length).toBeGreaterThan(1);
    expect(
      [...one.out.matchAll(/ep-[a-z0-9-]+/g)].map(([found]) => found),
      one.err,
    ).toEqual([id]);
    expect(one.out).not.toContain('api_keys');
    expect((await account.run('import', LOCAL, '--exclude', '*')).out).toBe('');
  });

  it('of operations', async () => {
    expect(await account.run('operations', LOCAL, '--target', 'nowhere/*')).toMatchObject({ code: 1 });
    expect(await account.run('operations', LOCAL, '--target', 'shop/*')).toMatchObject({ code: 0 });
  });
});
