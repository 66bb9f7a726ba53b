// A project whose roles and databases leave secrets in places: what lies there, and that it lies nowhere else.
import { join } from 'node:path';
import { expect } from 'vitest';
import { betrays } from '../../support/betrays.ts';
import type { Account, AccountOptions } from './account.ts';

export const BRANCH = 'br-main-1';

interface More extends Partial<AccountOptions> {
  readonly storePasswords?: boolean;
  /** Those that live. */
  readonly roles?: readonly string[];
}

/** A branch with the role `owner` and a running compute; roles as written, and what else is written of the branch. */
export function keptWorld(
  roles: string,
  { storePasswords, roles: living = ['owner'], ...more }: More = {},
  rest: string = '',
): AccountOptions {
  return {
    seed: {
      version: 1,
      projects: [
        {
          name: 'shop',
          id: 'shop-1',
          created_at: '-40d',
          ...(storePasswords === undefined ? {} : { store_passwords: storePasswords }),
          branches: [
            {
              id: BRANCH,
              name: 'main',
              default: true,
              created_at: '-40d',
              updated_at: '-40d',
              roles: [...living],
              databases: [{ name: 'orders', owner_name: 'owner' }],
            },
          ],
          computes: [{ id: 'ep-main-1', branch: 'main' }],
        },
      ],
    },
    file: `version: 1\nprojects:\n  shop:\n    id: shop-1\n    branches:\n      main: { id: ${BRANCH}, roles: { ${roles} }${rest} }\n`,
    reconciler: { requestsPerMinute: Infinity },
    ...more,
  };
}

/** Path of a file of the secrets folder. */
export function placeOf({ cwd }: Account, name: string): string {
  return join(cwd, 'state/secrets', name);
}

/** The record in it. */
export function kept(account: Account, name: string): Readonly<Record<string, string>> {
  return JSON.parse(account.disk.text(placeOf(account, name)) ?? '{}') as Readonly<Record<string, string>>;
}

/** What the service says that it is. */
export async function passwordOf(account: Account, role: string): Promise<string> {
  const path = `/projects/shop-1/branches/${BRANCH}/roles/${role}/reveal_password`;
  const { password } = await account.clock.run(
    account.reconciler.client.get<{ password: string }>(path, 'RolePasswordReply', {}),
  );
  account.seen.pop();
  return password;
}

/** Somebody else gives the role a new password. */
export async function resetElsewhere(account: Account, role: string): Promise<void> {
  await account.clock.run(account.clock.sleep(5000));
  const path = `/projects/shop-1/branches/${BRANCH}/roles/${role}/reset_password`;
  await account.clock.run(account.reconciler.client.write('POST', path, null, {}));
  await account.clock.run(account.clock.sleep(60_000));
}

/** `POST role app`: what was changed of roles and databases, oldest first. */
export function writesOf({ controlPlane }: Account): readonly string[] {
  return controlPlane
    .ledger()
    .filter(({ kind, verb }) => ['role', 'database'].includes(kind) && verb !== 'GET')
    .map(({ verb, kind, id }) => `${verb} ${kind} ${id}`);
}

/** No form of the secret stands in what was told, nor in a file that is no place for it. */
export function nowhereElse({ disk, cwd }: Account, secret: string, told: readonly unknown[]): void {
  const places = join(cwd, 'state/secrets');
  const files = disk.paths().filter((path) => !path.startsWith(places));
  const texts = [JSON.stringify(told), ...files.map((path) => disk.text(path) ?? '')];
  expect(secret).not.toBe('');
  expect(texts.filter((text) => betrays(text, secret))).toEqual([]);
}
