// For any live account, what import writes is a valid file whose plan is empty, read with the fewest requests.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AttributeDetail } from '../../../src/cli/authoring/import/scope.ts';
import type { World } from '../../../src/control-plane/index.ts';
import { runs } from '../../support/property-runs.ts';
import { desiredOf, imported, openAccount } from './account.ts';

const name = fc.oneof(
  fc.constantFrom(
    'shop',
    'Shop',
    'lab',
    'true',
    '12',
    '..',
    'api_keys',
    '__proto__',
    'a: b',
    '${var:X}',
    '\u202e',
    '<<',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
);

const compute = fc.record(
  {
    branch: fc.constantFrom('main', 'dev'),
    replica: fc.boolean(),
    name: fc.oneof(fc.constant('ops'), fc.string({ minLength: 1, maxLength: 8 })),
    autoscaling_limit_max_cu: fc.constantFrom(0.25, 1, 4),
    suspend_timeout_seconds: fc.constantFrom(-1, 0, 60, 90, 300, 3600, 604_800),
    pooler_enabled: fc.boolean(),
    disabled: fc.boolean(),
    passwordless_access: fc.boolean(),
    settings: fc.record({
      pg_settings: fc.dictionary(
        fc.constantFrom('work_mem', 'jit', 'search_path', 'auto_explain.log_format'),
        fc.constantFrom('64MB', 'on', '4', '007', '1e3', '"$user", public', '# none', '${HOME}'),
      ),
    }),
  },
  { requiredKeys: ['branch', 'replica'] },
);

/** At most one primary on each branch: that is the service's own rule. */
const world: fc.Arbitrary<World> = fc
  .record({
    projects: fc.array(fc.record({ name, computes: fc.array(compute, { maxLength: 5 }) }), { maxLength: 4 }),
    keys: fc.array(name, { maxLength: 3 }),
  })
  .map(({ projects, keys }) => ({
    version: 1,
    api_keys: keys.map((key, at) => ({ name: key, id: `${9_007_199_254_740_990n + BigInt(at)}` })),
    projects: projects.map((project, p) => {
      const taken = new Set<string>();
      return {
        id: `calm-lake-${p}`,
        name: project.name,
        branches: [
          { id: `br-calm-${p}-main`, name: 'main', default: true },
          { id: `br-calm-${p}-dev`, name: 'dev' },
        ],
        computes: project.computes.map(({ replica, ...one }, c) => {
          const isReplica = replica || taken.has(one.branch);
          if (!isReplica) taken.add(one.branch);
          return { ...one, id: `ep-calm-${p}-${c}`, type: isReplica ? 'read_only' : 'read_write' };
        }),
      };
    }),
  }));

it('import reads the account once and its files plan to nothing', async () => {
  await fc.assert(
    fc.asyncProperty(world, fc.constantFrom<AttributeDetail>('minimal', 'full'), async (seed, detail) => {
      const account = openAccount(seed);
      const texts = await imported(account, detail);
      const projects = seed.projects?.length ?? 0;
      // A page of projects, one list a project, one list of keys.
      expect(account.requests).toHaveLength(1 + projects + 1);
      expect(account.requests.every((request) => request.startsWith('GET '))).toBe(true);
      const files = texts.size === 0 ? new Map([['empty.yaml', 'version: 1\n']]) : texts;
      const desired = await desiredOf(files);
      const { plan } = await account.clock.run(account.reconciler.plan({ desired }));
      expect(plan?.changes.filter(({ action }) => action !== 'none')).toEqual([]);
      expect(plan?.steps).toEqual([]);
      const computes = (seed.projects ?? []).flatMap((project) => project.computes ?? []);
      const declared = desired.resources.filter(({ kind }) => kind === 'compute').map(({ pin }) => pin);
      expect(declared).toHaveLength(computes.length);
      expect(new Set(declared)).toEqual(new Set(computes.map(({ id }) => id)));
    }),
    runs(40),
  );
});
