// Fleets of equal projects: as a world, as a file, and as an account that is closed after use.
import type { World } from '../../../src/control-plane/index.ts';
import type { SiteOptions } from '../../support/site.ts';

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

export const SHOP = 'calm-lake-100000';
export const MAIN = 'br-main-100000';

interface Held extends Pick<SiteOptions, 'operationMs'> {
  readonly roles: readonly string[];
  /** Of the role `app`. */
  readonly databases: readonly string[];
}

/** One project with a running primary on `main`; `entry` is what the file says of it. */
export function shopAccount(entry: string, { roles, databases, operationMs }: Held): SiteOptions {
  const main = {
    id: MAIN,
    name: 'main',
    default: true,
    roles: [...roles],
    databases: databases.map((name) => ({ name, owner_name: 'app' })),
  };
  const ours = { id: 'ep-main-100000', branch: 'main', current_state: 'active', suspend_timeout_seconds: -1 } as const;
  return {
    file: `version: 1\nprojects:\n  shop:\n${entry}`,
    seed: { version: 1, projects: [{ id: SHOP, name: 'shop', branches: [main], computes: [ours] }] },
    ...(operationMs === undefined ? {} : { operationMs }),
  };
}

/** A compute that has run for thirty days, what is wished of it, and further lines of the file; the times are those that the service tells. */
export function runningCompute(
  wish: string,
  more: string,
  times: Readonly<Record<string, string>>,
): Pick<SiteOptions, 'file' | 'seed'> {
  const id = idOf(0);
  const attributes = wish === '' ? '' : `, ${wish}`;
  const compute = { id: `ep-${id}`, branch: 'main', current_state: 'active', suspend_timeout_seconds: -1 } as const;
  const branches = [{ id: `br-${id}`, name: 'main', default: true }];
  return {
    file: `version: 1\nprojects:\n  ${id}:\n    id: ${id}\n    computes:\n      primary: { branch_id: br-${id}${attributes} }\n${more}`,
    seed: {
      version: 1,
      projects: [{ id, name: 'p0', branches, computes: [{ ...compute, created_at: '-30d', ...times }] }],
    },
  };
}
