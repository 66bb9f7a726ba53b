// Fleets of equal projects: as a world, as a file, and as an account that is closed after use.
import type { World } from '../../../src/control-plane/index.ts';
import { openAccount, type Account, type AccountOptions } from './account.ts';

export const idOf = (at: number): string => `calm-lake-${100_000 + at}`;

/** Projects with a primary on `main`, and further branches without a compute. */
export function worldOf(projects: number, branches = 0): World {
  return {
    version: 1,
    projects: Array.from({ length: projects }, (_, at) => ({
      id: idOf(at),
      name: `p${at}`,
      branches: [
        { id: `br-${idOf(at)}`, name: 'main', default: true },
        ...Array.from({ length: branches }, (__, of) => ({ id: `br-${idOf(at)}-${of}`, name: `b${of}` })),
      ],
      computes: [{ id: `ep-${idOf(at)}`, branch: 'main' }],
    })),
  };
}

/** All projects by name; the first `changed` of them with another size, each with primaries on its first `more` branches. */
export function fileOf(projects: number, { changed = 0, more = 0 }: { changed?: number; more?: number }): string {
  const entries = Array.from({ length: projects }, (_, at) => {
    const size = at < changed ? ', autoscaling_limit_max_cu: 2' : '';
    const others = Array.from({ length: more }, (__, of) => `      c${of}: { branch_id: br-${idOf(at)}-${of} }\n`);
    return `  p${at}:\n    computes:\n      primary: { branch_id: br-${idOf(at)}${size} }\n${others.join('')}`;
  });
  return `version: 1\nprojects:\n${entries.join('')}`;
}

export async function withAccount<T>(options: AccountOptions, work: (account: Account) => Promise<T>): Promise<T> {
  const account = await openAccount(options);
  try {
    return await work(account);
  } finally {
    account.close();
  }
}
