// What the simulation has found, each as the smallest schedule that shows it: none of it comes back.
import { expect, it } from 'vitest';
import { scheduleOf } from './random-schedule.ts';
import type { Schedule } from './schedule.ts';
import { play, type Played } from './simulate.ts';
import { workloadOf as workload } from './world/reference.ts';
import type { Workload } from './world/workload.ts';

const schedule = (of: Workload, part: Partial<Schedule> = {}): Schedule => ({
  name: of.name,
  seed: 1,
  workload: of,
  faults: [],
  runs: [{}],
  operationMs: { min: 200, max: 3000 },
  ...part,
});

/** A story that breaks no invariant. */
async function expectNoViolation(story: ReturnType<typeof play>): Promise<Played> {
  const told = await story;
  expect(told.violations).toEqual([]);
  return told;
}

/** The workload, or that of this number, without a violation. */
async function expectSound(of: Workload | string, part: Partial<Schedule> = {}): Promise<Played> {
  return expectNoViolation(play(schedule(typeof of === 'string' ? workload(of) : of, part)));
}

/** The number of the `nth` call of this name in a run under these faults, or without trouble. */
async function callOf(
  of: Workload,
  name: RegExp,
  { nth = 1, faults = [] }: { readonly nth?: number; readonly faults?: Schedule['faults'] } = {},
): Promise<number> {
  const { runs } = await play(schedule(of, { faults }));
  const calls = [...(runs[0]?.life.calls.entries() ?? [])].filter(([, call]) => name.test(call));
  return (calls[nth - 1]?.[0] ?? -1) + 1;
}

it('a replacement whose second half failed is finished, not begun again', async () => {
  const refused = { kind: 'reply', status: 403, commit: false, body: '{}' } as const;
  const { runs, site } = await expectSound('W9', { faults: [{ when: { method: 'DELETE', nth: 1 }, fault: refused }] });
  expect(runs[1]?.plan?.steps.map(({ action, address }) => `${action} ${address}`)).toEqual([
    'create shop/next',
    'delete shop/primary',
  ]);
  expect(site.plane.engine.live.computes.size).toBe(4);
});

it('a stored value outlives a power failure, also in a folder that the run made', async () => {
  const of = workload('W10');
  const call = await callOf(of, /^GET \/projects\?limit=1/);
  await expectSound(of, { runs: [{ crash: { call, when: 'after', power: true } }] });
});

it('a key whose reply never came is in no secret store: it is revoked when it turns up, and nothing is rotated', async () => {
  const late = { kind: 'late-commit', delayMs: 3000 } as const;
  const { site } = await expectSound('W20', { faults: [{ when: { method: 'POST', nth: 1 }, fault: late }] });
  const made = site.plane.truth.keys().filter(({ name }) => name === 'ci');
  // The request is not sent again, so the value in the store is that of the second key alone.
  expect(made.map(({ revokedMs }) => revokedMs === undefined)).toEqual([false, true]);
  const values = made.map(({ id }) => site.keyValues.get(id) ?? 'never told');
  expect(values.map((value) => site.vault.get('vault')?.includes(value))).toEqual([false, true]);
});

it('such a key is told from one that is stored and not used yet', async () => {
  const of = workload('W10');
  const late = { kind: 'late-commit', delayMs: 42_000 } as const;
  // After the second creation was stored, and before its first use.
  const faults = [{ when: { method: 'POST', nth: 1 }, fault: late }];
  const call = await callOf(of, /^GET \/projects\?limit=1/, { faults });
  await expectSound(of, { faults, runs: [{ crash: { call, when: 'before' } }] });
});

it('two creations whose replies never came are both known to be ours', async () => {
  const of = workload('W10');
  const late = { kind: 'late-commit', delayMs: 3000 } as const;
  const faults = [{ when: { method: 'POST', nth: 1 }, fault: late }];
  const call = await callOf(of, /^POST /, { faults, nth: 2 });
  await expectSound(of, { faults, runs: [{ crash: { call, when: 'after' } }] });
});

it('what the journal says that a crash left is revoked with consent alone', async () => {
  const of = workload('W10');
  const crash = { call: await callOf(of, /^POST \/api_keys/), when: 'after' } as const;
  const { runs, site } = await expectSound(of, { runs: [{ crash }, { isUnattended: true }] });
  const [first, second] = site.plane.truth.keys().filter(({ name }) => name === 'ci');
  const revocation = runs[1]?.plan?.changes.find(({ resourceId }) => resourceId === first?.id);
  expect(revocation).toMatchObject({ action: 'revoke', origin: 'orphan', blockedBy: ['consent'] });
  expect(runs[1]?.result?.status).toBe('blocked');
  expect(runs[1]?.plan?.steps.map(({ action }) => action)).toEqual(['create']);
  // A person has looked at the plan of the run after that.
  expect(first?.revokedMs ?? 0).toBeGreaterThan(runs[1]?.endedMs ?? Infinity);
  expect(second?.revokedMs).toBeUndefined();
});

it('what is only probably ours is revoked by no pattern, and by its own address', async () => {
  const of = workload('W10');
  const lost = { kind: 'reply', status: 500, commit: true, body: '{}' } as const;
  for (const [word, isRevoked] of [
    ['api_keys/*', false],
    ['*', false],
    ['api_keys/ci', true],
  ] as const) {
    const { runs, site } = await expectSound(
      { ...of, allow: [{ action: '*', address: word }] },
      { faults: [{ when: { method: 'POST', nth: 1 }, fault: lost }], runs: [{}, { isUnattended: true }] },
    );
    const [first] = site.plane.truth.keys().filter(({ name }) => name === 'ci');
    const revocation = runs[1]?.plan?.changes.find(({ resourceId }) => resourceId === first?.id);
    expect(revocation).toMatchObject({ origin: 'orphan', blockedBy: isRevoked ? [] : ['consent'] });
    expect((first?.revokedMs ?? Infinity) < (runs[1]?.endedMs ?? 0)).toBe(isRevoked);
  }
});

it('what a run for another account made is no leftover: it is revoked with consent alone', async () => {
  const of = workload('W10');
  const crash = { call: await callOf(of, /^POST \/api_keys/), when: 'after' } as const;
  for (const [account, isRevoked] of [
    [{}, true],
    [{ orgId: 'org-other' }, false],
    [{ store: 'another' }, false],
  ] as const) {
    const { site } = await expectSound(of, { runs: [{ crash, ...account }] });
    const [first] = site.plane.truth.keys().filter(({ name }) => name === 'ci');
    expect(first?.revokedMs !== undefined).toBe(isRevoked);
  }
});

it('a store that tells no id holds what was stored last: an older leftover is revoked, and nothing is rotated', async () => {
  const of = workload('W20');
  // The reply arrived and was noted; then the process died, before it was stored.
  const call = (await callOf(of, /^run \/bin\/vault put/)) - 1;
  const refused = { kind: 'reply', status: 401, commit: false, body: '{}' } as const;
  const { site } = await expectSound(of, {
    faults: [{ when: { method: 'DELETE', nth: 1 }, fault: refused }],
    runs: [{ crash: { call, when: 'after' } }, {}],
  });
  const live = site.plane.truth.keys().filter(({ name, revokedMs }) => name === 'ci' && revokedMs === undefined);
  expect(live).toHaveLength(1);
});

it('a late leftover is told from what a store that tells no id was given last, before its first use', async () => {
  const of = workload('W20');
  const late = { kind: 'late-commit', delayMs: 3000 } as const;
  const faults = [{ when: { method: 'POST', nth: 1 }, fault: late }];
  const call = await callOf(of, /^GET \/projects\?limit=1/, { faults });
  await expectSound(of, { faults, runs: [{ crash: { call, when: 'before' } }] });
});

it('a step that a hard stop keeps from being sent has an end in the result', async () => {
  const { runs } = await expectSound('W8', {
    faults: [{ when: { method: 'DELETE', nth: 1 }, fault: { kind: 'locked' } }],
    runs: [{ stop: { kind: 'hard', afterMs: 100 } }],
  });
  expect(runs[0]?.result?.steps.map(({ outcome }) => outcome)).not.toContain('running');
});

it.each([500, 1500, 2100, 2500, 3000, 4000])(
  'a request whose reply was lost is unknown, not "not started", when a hard stop comes after %i ms',
  async (afterMs) => {
    const late = { kind: 'late-commit', delayMs: 30_000 } as const;
    const { runs } = await expectSound('W17', {
      faults: [1, 2].map((nth) => ({ when: { method: 'PATCH', nth }, fault: late })),
      runs: [{ stop: { kind: 'hard', afterMs } }],
    });
    const sent = new Set(runs[0]?.life.calls.filter((call) => call.startsWith('PATCH')));
    const open = runs[0]?.result?.steps.filter(({ outcome }) => outcome === 'unknown' || outcome === 'timed_out');
    expect(sent.size).toBeGreaterThan(0);
    expect(open).toHaveLength(sent.size);
  },
);

it('the result of a saved replacement names the new resource', async () => {
  const { runs, site } = await expectSound('W9', { runs: [{ savedForMs: 5000 }] });
  const id = runs[0]?.result?.resources['shop/primary']?.id ?? '';
  expect(site.plane.engine.live.computes.get(id)?.type).toBe('read_only');
});

it('an operation of an unknown word in the log does not hold up later changes for ever', async () => {
  await expectSound('W3', {
    faults: [
      { when: { nth: 1 }, fault: { on: 'operation', kind: 'lie' } },
      { when: { nth: 3 }, fault: { on: 'operation', kind: 'status', status: 'a_new_word', applied: true } },
    ],
  });
});

it('a run with nothing to do waits for what an earlier one began, and says so when it fails', async () => {
  const of = workload('W5');
  const call = await callOf(of, /^PATCH /);
  const { runs } = await expectSound(of, {
    faults: [{ when: { nth: 1 }, fault: { on: 'operation', kind: 'fail' } }],
    runs: [{ crash: { call, when: 'after' } }],
    operationMs: { min: 3000, max: 3000 },
  });
  expect(runs[1]?.plan?.steps).toEqual([]);
  expect(runs[1]?.result?.diagnostics.map(({ code }) => code)).toContain('operation_under_way');
  expect(runs[1]?.result?.status).toBe('incomplete');
});

it('a saved plan without steps whose check outlasts the run is not verified, and says so', async () => {
  const of = workload('W15');
  const quiet = await play(schedule(of, { runs: [{ savedForMs: 0 }] }));
  const { life, planCalls = 0 } = quiet.runs[0] ?? {};
  const reads = life?.calls.slice(0, planCalls).filter((call) => call.startsWith('GET')) ?? [];
  const nth = reads.length + 1;
  const { runs } = await expectSound(of, {
    faults: [{ when: { nth }, fault: { kind: 'latency', ms: 30_000 } }],
    runs: [{ savedForMs: 0, timeoutMs: 500 }],
  });
  expect(runs[0]?.result?.status).toBe('incomplete');
  expect(runs[0]?.result?.diagnostics.map(({ code }) => code)).toContain('not_verified');
});

it('a repair that the log forgets is unknown to its run, and not sent again once a start shows that it was applied', async () => {
  const { runs } = await expectSound('W3', {
    faults: [
      { when: { nth: 1 }, fault: { on: 'operation', kind: 'fail' } },
      { when: { nth: 4 }, fault: { on: 'operation', kind: 'vanish' } },
    ],
    runs: [{}, {}],
  });
  expect(runs[1]?.result?.steps.map(({ outcome }) => outcome)).toEqual(['unknown']);
  expect(runs[1]?.result?.status).toBe('incomplete');
  const last = runs.findLast(({ result }) => result !== null);
  expect(last?.result?.status).toBe('converged');
  expect(last?.plan?.steps).toEqual([]);
});

// The first step is sent within two seconds; the others wait for their turns.
it.each([
  ['soft', 500, 3],
  ['soft', 1500, 3],
  ['soft', 2500, 2],
  ['soft', 4000, 2],
  ['hard', 500, 3],
  ['hard', 1500, 3],
  ['hard', 2500, 2],
  ['hard', 4000, 2],
] as const)('a step in the queue is not begun after a %s stop at %i ms', async (kind, afterMs, notStarted) => {
  const { runs } = await expectSound('W2', { runs: [{ requestsPerMinute: 15, stop: { kind, afterMs } }] });
  expect(runs[0]?.result?.counts).toMatchObject({ notStarted });
});

it('a pin whose compute somebody deleted keeps all that it could mean from being pruned, and asks', async () => {
  const pinned = workload('W8');
  const path = `/projects/${pinned.world.projects?.[0]?.id}/endpoints/ep-reader-01`;
  const { runs, site } = await expectSound(pinned, {
    runs: [{ planOnly: true }],
    deeds: [{ afterMs: 5000, method: 'DELETE', path }],
  });
  expect(runs.at(-1)?.result?.status).toBe('blocked');
  expect(runs.at(-1)?.diagnostics.map(({ code }) => code)).toContain('stale_pin');
  expect(site.plane.truth.computes().filter(({ id }) => id.startsWith('ep-reader-'))).toHaveLength(2);
});

it('a replica that nothing but a guess ties to a label stays, and the run ends by asking which one is meant', async () => {
  const { runs, site } = await expectSound('W24');
  expect(runs[0]?.result?.status).toBe('blocked');
  expect(site.wire.filter(({ method }) => method !== 'GET')).toEqual([]);
});

it.each([
  ['fresh', {}],
  ['saved', { savedForMs: 1000 }],
  ['answered late', { promptMs: 40_000 }],
] as const)('a change whose operation failed is repaired by the next plan, %s', async (_, next) => {
  for (const number of ['W3', 'W5', 'W6', 'W17']) {
    const fail = { when: { action: 'apply_config', nth: 1 }, fault: { on: 'operation', kind: 'fail' } } as const;
    const { violations, runs } = await play(schedule(workload(number), { faults: [fail], runs: [{}, next] }));
    expect([number, violations]).toEqual([number, []]);
    expect([number, runs[0]?.result?.status, runs[1]?.result?.status]).toEqual([number, 'incomplete', 'converged']);
  }
});

it.each([1, 2, 3])('of two projects of one name on pages of %i none is touched, and the others go on', async (size) => {
  const twins = workload('W27');
  const projects = [...(twins.world.projects ?? [])];
  for (const order of [projects, projects.toReversed()]) {
    const capped = { times: 'always', fault: { kind: 'capped', size } } as const;
    const of = { ...twins, world: { ...twins.world, projects: order } };
    const { runs, site } = await expectSound(of, { nature: [capped] });
    expect(runs[0]?.plan?.unplanned.map(({ project }) => project)).toEqual(['shop']);
    const changed = site.plane.ledger().flatMap(({ kind, projectId }) => (kind === 'compute' ? [projectId] : []));
    expect(changed).toEqual(['other-project-0002']);
  }
});

it.each([
  ['as shown', 'converged'],
  ['saved twice', 'converged'],
] as const)('a change that failed is mended by a plan that is carried out %s', async (repairs, end) => {
  for (const number of ['W3', 'W6', 'W17', 'W18']) {
    const fail = { when: { nth: 1 }, fault: { on: 'operation', kind: 'fail' } } as const;
    const { violations, runs } = await play(schedule(workload(number), { faults: [fail], repairs }));
    expect([number, violations]).toEqual([number, []]);
    const mending = runs.filter(({ reviewed }) => reviewed !== null);
    expect([number, mending[0]?.isOther, mending[0]?.result?.status]).toEqual([number, false, end]);
    expect([number, mending[0]?.result?.counts.done]).not.toEqual([number, 0]);
    const again = repairs === 'saved twice' ? mending[1]?.result?.counts : null;
    expect([number, again?.done ?? 0]).toEqual([number, 0]);
  }
});

it.each(['shown', 'saved'] as const)(
  'a run that dies while it carries out a %s plan leaves what the next one finishes',
  async (carriesOut) => {
    const of = workload('W13');
    const review = { planOnly: true } as const;
    const whole = await play(schedule(of, { runs: [review, { carriesOut }] }));
    expect(whole.violations).toEqual([]);
    const writes = [...(whole.runs[1]?.life.calls.entries() ?? [])].filter(([, call]) => /^(POST|PATCH)/.test(call));
    expect(writes).toHaveLength(5);
    for (const [at] of writes) {
      const crash = { call: at + 1, when: 'after' } as const;
      await expectSound(of, { runs: [review, { carriesOut, crash }, { carriesOut }] });
    }
  },
);

it('a saved plan that finds the first leg of a swap done says of the passage that it is empty again', async () => {
  const fail = { when: { nth: 1 }, fault: { on: 'operation', kind: 'fail', applied: true } } as const;
  await expectSound('W7', {
    faults: [fail],
    runs: [{ planOnly: true }, { carriesOut: 'saved' }, { carriesOut: 'saved' }],
  });
});

it('a saved plan of a swap that is done says of no passage that it is empty again', async () => {
  const runs = [{ planOnly: true }, { carriesOut: 'saved' }, { carriesOut: 'saved' }] as const;
  await expectSound('W7', { runs });
});

it('what a run on a machine with a wrong clock was told to have made is waited for no longer than anything else', async () => {
  await expectSound('T9', {
    faults: [{ when: { nth: 4, method: 'POST' }, fault: { kind: 'pretend' } }],
    runs: [{ skewMs: 365 * 86_400_000 }],
  });
});

it('an operation that was waited for has ended, however far a log lags behind: it is not waited for without end', async () => {
  const { site } = await expectNoViolation(play(scheduleOf(295_894)));
  expect(site.plane.ledger().filter(({ path }) => path.endsWith('/restart'))).toHaveLength(1);
});

it.each([
  // The second reading after the run is refused, and the first one shows both places.
  ['by the last whole reading', 21, ['br-dev-000003']],
  // The first reading is refused, and there is no second one.
  ['by no reading', 19, []],
])(
  'a place that a failed step filled all the same is not said to be empty, and one that it left is: %s',
  async (_, nth, left) => {
    const made = scheduleOf(1_794_310);
    const faults = made.faults.map((rule) => (rule.when?.nth === 21 ? { ...rule, when: { nth } } : rule));
    const { runs } = await expectNoViolation(play({ ...made, faults }));
    expect(runs[0]?.result?.vacated.map(({ id }) => id)).toEqual(left);
  },
);

it('a sink without its value is reported at the end, where the plan could not read its key', async () => {
  const { runs } = await expectNoViolation(play(scheduleOf(294_667)));
  expect(runs[1]?.result?.diagnostics.map(({ code }) => code)).toContain('secret_missing');
});
