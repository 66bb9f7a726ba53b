// A project whose roles and databases leave secrets in places: what lies there, and that it lies nowhere else.
import { expect } from 'vitest';
import { betrays } from '../../support/betrays.ts';
import { STATE, type Site, type SiteOptions } from '../../support/site.ts';

export const BRANCH = 'br-main-1';

interface More extends Partial<SiteOptions> {
  readonly storePasswords?: boolean;
  /** Those that live. */
  readonly roles?: readonly string[];
}

/** A branch with the role `owner` and a running compute; roles as written, and what else is written of the branch. */
export function keptWorld(
  roles: string,
  { storePasswords, roles: living = ['owner'], ...more }: More = {},
  rest: string = '',
): SiteOptions {
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
    ...more,
  };
}

/** Path of a file of the secrets folder. */
export const placeOf = (name: string): string => `${STATE}/secrets/${name}`;

/** The record in it. */
export function kept({ disk }: Site, name: string): Readonly<Record<string, string>> {
  return JSON.parse(disk.text(placeOf(name)) ?? '{}') as Readonly<Record<string, string>>;
}

const ROLES = `/projects/shop-1/branches/${BRANCH}/roles`;

/** What the service says that it is. */
export async function passwordOf(site: Site, role: string): Promise<string> {
  const { body } = await site.api('GET', `${ROLES}/${role}/reveal_password`);
  return (body as { readonly password: string }).password;
}

/** Somebody else gives the role a new password. */
export async function resetElsewhere(site: Site, role: string): Promise<void> {
  await site.clock.advance(5000);
  await site.api('POST', `${ROLES}/${role}/reset_password`);
  await site.clock.advance(60_000);
}

/** `POST role app`: what was changed of roles and databases, oldest first. */
export function writesOf({ controlPlane }: Site): readonly string[] {
  return controlPlane
    .ledger()
    .filter(({ kind, verb }) => ['role', 'database'].includes(kind) && verb !== 'GET')
    .map(({ verb, kind, id }) => `${verb} ${kind} ${id}`);
}

/** No form of the secret stands in what was told, nor in a file that is no place for it. */
export function nowhereElse({ disk }: Site, secret: string, told: readonly unknown[]): void {
  const files = disk.paths().filter((path) => !path.startsWith(placeOf('')));
  const texts = [JSON.stringify(told), ...files.map((path) => disk.text(path) ?? '')];
  expect(secret).not.toBe('');
  expect(texts.filter((text) => betrays(text, secret))).toEqual([]);
}
