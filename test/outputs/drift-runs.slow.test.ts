// `drift --for N`: the alarm waits for N runs in a row, the counts survive between runs, and nothing else is ever written.
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { countOn, type Streak } from '../../src/cli/output/drift-runs.ts';
import type { DriftReport } from '../../src/model/outcome/drift.ts';
import { clearDesks, desk, type Desk, type Run } from './desk.ts';
import { stateOf } from '../support/state.ts';

const IN_SYNC =
  'version: 1\nprojects: { shop: { computes: { primary: { branch_id: br-wispy-meadow-118737, pooler_enabled: false } } } }\n';
const SHOP = '/projects/spring-example-302709/endpoints/ep-cool-darkness-123456';

afterEach(clearDesks);

interface Watched extends Desk {
  readonly counts: string;
  drift(...argv: string[]): Promise<Run>;
  /** Somebody switches the pooler. */
  pooler(enabled: boolean): Promise<void>;
}

function watched(): Watched {
  const at = desk({ 'trueup.yaml': IN_SYNC });
  return {
    ...at,
    counts: join(stateOf(at.cwd), 'drift-runs.json'),
    drift: async (...argv) => at.run('drift', '--local', ...argv),
    pooler: async (enabled) => at.api('PATCH', SHOP, JSON.stringify({ endpoint: { pooler_enabled: enabled } })),
  };
}

describe('drift --for 3', () => {
  it('exits 0 and says so until the third run in a row, then 2', async () => {
    const { drift, pooler } = watched();
    await pooler(true);
    const first = await drift('--for', '3');
    expect([first.code, first.err]).toEqual([
      0,
      'Noted, no alarm yet: 1 difference, seen in up to 1 of 3 runs in a row.\n',
    ]);
    expect(first.out).toContain('Drift: 1 changed');
    expect((await drift('--for', '3')).code).toBe(0);
    const third = await drift('--for', '3', '--format', 'json');
    expect([third.code, third.err]).toEqual([2, '']);
    expect(JSON.parse(third.out)).toMatchObject({
      status: 'drifted',
      alarm: { runs_needed: 3, raised: true, findings: [{ address: 'shop/primary', runs: 3 }] },
    });
    expect((await drift('--for', '3')).code).toBe(2);
  });

  it('begins anew after a run without the difference', async () => {
    const { drift, pooler } = watched();
    await pooler(true);
    await drift('--for', '2');
    await pooler(false);
    expect((await drift('--for', '2')).code).toBe(0);
    await pooler(true);
    expect((await drift('--for', '2')).code).toBe(0);
    expect((await drift('--for', '2')).code).toBe(2);
  });

  it('with 1 alarms at once', async () => {
    const { drift, pooler } = watched();
    await pooler(true);
    expect((await drift('--for', '1')).code).toBe(2);
  });

  it('counts runs over other files or targets apart', async () => {
    const { cwd, drift, pooler } = watched();
    await pooler(true);
    writeFileSync(join(cwd, 'lab.yaml'), 'version: 1\nprojects: { lab: { computes: {} } }\n');
    await drift('--for', '2');
    expect((await drift('--for', '2', '-f', 'lab.yaml')).code).toBe(0);
    expect((await drift('--for', '2', '--target', 'shop/*')).code).toBe(0);
    expect((await drift('--for', '2')).code).toBe(2);
  });

  it.each([
    ['cut off', '{"version":1,"rows":[{"key":"sha'],
    ['of another version', '{"version":2,"rows":[]}'],
    ['of a wrong form', '{"version":1,"rows":[{"key":"k","findings":[{"runs":-1}]}]}'],
    ['empty', ''],
  ])('a file that is %s is begun anew, with a warning', async (_, text) => {
    const { counts, drift, pooler } = watched();
    await pooler(true);
    writeFileSync(counts, text);
    const { code, err } = await drift('--for', '2');
    expect(code).toBe(0);
    expect(err).toContain('warning drift_runs_damaged');
    expect((await drift('--for', '2')).code).toBe(2);
  });

  it('alarms at once when the counts cannot be kept: silence would last for ever', async () => {
    const { counts, drift, pooler } = watched();
    await pooler(true);
    mkdirSync(counts);
    const { code, err } = await drift('--for', '3');
    expect(code).toBe(2);
    expect(err).toContain('runs with a difference cannot be counted');
  });

  it('keeps the counts for their owner alone, and leaves nothing else behind', async () => {
    const { cwd, counts, drift, pooler } = watched();
    await pooler(true);
    await drift('--for', '3');
    expect(statSync(counts).mode & 0o777).toBe(0o600);
    expect(readdirSync(stateOf(cwd)).sort()).toEqual(['drift-runs.json', 'local']);
    expect(readFileSync(counts, 'utf8')).not.toContain('pooler');
  });

  it.each(['0', '-1', '1.5', 'x', ''])('refuses --for "%s" before anything is read', async (word) => {
    const { drift, counts } = watched();
    const { code, out, err } = await drift(`--for=${word}`);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('--for takes a number of runs');
    expect(existsSync(counts)).toBe(false);
  });
});

describe('drift without --for', () => {
  it('writes nothing at all', async () => {
    const { cwd, drift, pooler } = watched();
    await pooler(true);
    const before = readdirSync(stateOf(cwd));
    expect((await drift()).code).toBe(2);
    expect(readdirSync(stateOf(cwd))).toEqual(before);
    expect(readdirSync(cwd).sort()).toEqual(['.local', 'trueup.yaml']);
  });
});

const EMPTY: DriftReport = {
  status: 'incomplete',
  selection: { target: [], exclude: [] },
  changed: [],
  missing: [],
  unmanaged: [],
  held: [],
  notCompared: [],
  unread: [],
  unplanned: [],
  due: [],
};

describe('counting', () => {
  const before: readonly Streak[] = [
    { fingerprint: 'a', address: 'shop/primary', runs: 2 },
    { fingerprint: 'b', address: 'lab/primary', runs: 1 },
  ];

  it('keeps the count of what could not be read, and forgets what is gone', () => {
    const report = { ...EMPTY, unread: [{ what: 'shop', projectId: null, reason: '503' }] };
    expect(countOn(before, report)).toEqual([before[0]]);
  });

  it('does not count what is merely unmanaged, but what is to be pruned', () => {
    const resource = { kind: 'compute', id: 'ep-a-1', projectId: 'p', spec: {} };
    const unmanaged = [
      { ...resource, address: 'shop/ep-a-1', pruned: true },
      { ...resource, address: 'shop/ep-a-2', pruned: false },
    ];
    expect(countOn([], { ...EMPTY, unmanaged }).map(({ address, runs }) => [address, runs])).toEqual([
      ['shop/ep-a-1', 1],
    ]);
  });
});
