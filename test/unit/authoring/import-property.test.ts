// For any live account, what import writes is a valid file whose plan is empty, read with the fewest requests.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/base/virtual-clock.ts';
import { handlerTransport } from '../../../src/client/handler-transport.ts';
import { createControlPlane, type ControlPlane, type World } from '../../../src/control-plane/index.ts';
import { checkDraft } from '../../../src/cli/import-check.ts';
import { draftImport, type AttributeDetail } from '../../../src/cli/import-draft.ts';
import { fileNameOf, textOfScopes } from '../../../src/cli/import-text.ts';
import { createReconciler } from '../../../src/reconciler.ts';
import type { DesiredState } from '../../../src/model/desired.ts';
import type { LoadResult } from '../../../src/config/load.ts';
import type { Reconciler } from '../../../src/reconciler/types.ts';

const BASE_URL = 'http://localhost/api/v2';
const cwd = mkdtempSync(join(tmpdir(), 'trueup-import-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

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

interface Account {
  readonly reconciler: Reconciler;
  readonly controlPlane: ControlPlane;
  readonly requests: string[];
  readonly nowMs: number;
}

function accountOf(seed: World): Account {
  const clock = new VirtualClock();
  const controlPlane = createControlPlane({ clock, seed });
  const requests: string[] = [];
  const send = handlerTransport(
    async (request) => {
      requests.push(`${request.method} ${new URL(request.url).pathname.replace('/api/v2', '')}`);
      return controlPlane.handle(request);
    },
    { baseUrl: BASE_URL },
  );
  const reconciler = createReconciler({ baseUrl: BASE_URL, credential: controlPlane.rootKey ?? '', send, clock, cwd });
  return { reconciler, controlPlane, requests, nowMs: clock.nowMs() };
}

async function load({ reconciler }: Account, texts: ReadonlyMap<string, string>): Promise<LoadResult> {
  for (const [file, text] of texts) writeFileSync(join(cwd, file), text);
  return reconciler.load({
    paths: [...texts.keys()],
    cwd,
    stdin: async () => new Uint8Array(),
    variables: { flags: new Map(), files: [], env: new Map() },
  });
}

function desiredOf({ desired, diagnostics }: LoadResult): DesiredState {
  if (desired === null) throw new Error(JSON.stringify(diagnostics));
  return desired;
}

/** Imports the account into files, one a project. */
async function imported(account: Account, detail: AttributeDetail): Promise<ReadonlyMap<string, string>> {
  const before = desiredOf(await load(account, new Map([['empty.yaml', 'version: 1\n']])));
  const survey = await account.reconciler.survey({ desired: before, isWanted: () => true, accountWide: true });
  const { live } = survey;
  if (live === null) throw new Error(JSON.stringify(survey.diagnostics));
  const checked = await checkDraft(draftImport(before, { ...survey, live }, detail), {
    live,
    baseUrl: BASE_URL,
    nowMs: account.nowMs,
    load: async (scopes) => load(account, new Map([['draft.yaml', textOfScopes(scopes, '#')]])),
    loadAlone: async (scope) => load(account, new Map([['alone.yaml', textOfScopes([scope], '#')]])),
  });
  if ('refused' in checked) throw new Error(JSON.stringify(checked.refused.diagnostics));
  expect(checked.remaining).toEqual([]);
  return new Map(checked.draft.scopes.map((scope) => [fileNameOf(scope), textOfScopes([scope], '#')]));
}

it('import reads the account once and its files plan to nothing', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(world, fc.constantFrom<AttributeDetail>('minimal', 'full'), async (seed, detail) => {
      const account = accountOf(seed);
      const texts = await imported(account, detail);
      const projects = seed.projects?.length ?? 0;
      // One page of projects, one list a project, one list of keys.
      expect(account.requests).toHaveLength(1 + projects + 1);
      expect(account.requests.every((request) => request.startsWith('GET '))).toBe(true);
      const files = texts.size === 0 ? new Map([['empty.yaml', 'version: 1\n']]) : texts;
      const desired = desiredOf(await load(account, files));
      const { plan } = await account.reconciler.plan({ desired });
      expect(plan?.changes.filter(({ action }) => action !== 'none')).toEqual([]);
      expect(plan?.steps).toEqual([]);
      const computes = (seed.projects ?? []).flatMap((project) => project.computes ?? []);
      const declared = desired.resources.filter(({ kind }) => kind === 'compute').map(({ pin }) => pin);
      expect(declared).toHaveLength(computes.length);
      expect(new Set(declared)).toEqual(new Set(computes.map(({ id }) => id)));
    }),
    { numRuns: 40 },
  );
});
