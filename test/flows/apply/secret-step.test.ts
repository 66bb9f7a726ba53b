// Steps that make a secret: whatever is lost or fails, one live key whose value is stored, or none, or a named one at risk.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { Journal } from '../../../src/apply/journal/journal.ts';
import { SinkFailure, type SecretSink, type Secrets } from '../../../src/apply/sinks/sink.ts';
import type { ExchangeFault, FaultRule } from '../../../src/control-plane/faults/plan.ts';
import { createRig, runSteps, type Outcome, type Rig, type RunOptions, keysNamed, keyStep } from './harness.ts';
import { always, refuses } from '../../support/faults.ts';

interface Vault extends SecretSink {
  held: { readonly id: string; readonly value: string } | null;
  released: number;
}

/** A place in memory; `fail` makes its n-th call of that name fail. */
function vault(fail: { readonly reserve?: boolean; readonly store?: boolean } = {}): Vault {
  const self: Vault = {
    label: 'memory',
    held: null,
    released: 0,
    check: async () => ({
      state: self.held === null ? 'absent' : 'stored',
      holds: { id: self.held?.id ?? '' },
      reason: null,
    }),
    forget: async () => Promise.resolve(),
    reserve: async () => {
      if (fail.reserve === true) throw new SinkFailure('memory', 'the disk is full');
      const before = self.held;
      return {
        store: async (record: JsonObject, { key }: Secrets) => {
          if (fail.store === true) throw new SinkFailure('memory', 'the disk is full');
          self.held = { id: String(record['id']), value: key?.reveal() ?? '' };
        },
        revert: async () => {
          self.held = before;
        },
        release: async () => {
          self.released++;
        },
      };
    },
  };
  return self;
}

async function makeKey(
  rig: Rig,
  sinks: readonly SecretSink[],
  rules: FaultRule[] = [],
  more: RunOptions = {},
): Promise<Outcome> {
  return runSteps(rig, [keyStep('ci')], { openSinks: () => sinks, faults: rules, ...more });
}

/** Live keys of that name, as the service lists them. */
async function liveKeys(rig: Rig): Promise<readonly { readonly id: string; readonly used: boolean }[]> {
  rig.plane.setFaults({});
  return (await keysNamed(rig, 'ci')).map(({ id, observed }) => ({ id, used: observed['last_used_at'] !== null }));
}

describe('without trouble', () => {
  it('reserves, makes, stores, uses once, and says where but never what', async () => {
    const rig = createRig();
    const sink = vault();
    const run = await makeKey(rig, [sink]);
    expect(run.result.steps[0]?.outcome).toBe('done');
    expect(await liveKeys(rig)).toEqual([{ id: sink.held?.id, used: true }]);
    expect(JSON.stringify(run.events)).not.toContain(sink.held?.value ?? 'nothing');
    expect(run.events.map(({ type }) => type)).toContain('secret_stored');
  });

  it('stores the value soon, whether or not the list tells what the reply left out of its record', async () => {
    const rig = createRig({ switches: { availabilityChecks: 'off', keyCreateReply: 'id_and_key' } });
    const sink = vault();
    const list = { method: 'GET', path: '/api_keys' };
    const run = await makeKey(rig, [sink], [always({ ...list, after: 1 }, { kind: 'black-hole', commit: false })]);
    const stored = run.events.find(({ type }) => type === 'secret_stored');
    expect(stored?.atMs).toBe((run.events[0]?.atMs ?? 0) + 5000);
    expect(run.result.steps[0]?.outcome).toBe('done');
  });

  it('stores in every place before the step is done', async () => {
    const rig = createRig();
    const sinks = [vault(), vault()];
    await makeKey(rig, sinks);
    expect(sinks[0]?.held).toEqual(sinks[1]?.held);
  });
});

const LOST: Readonly<Record<string, ExchangeFault>> = {
  'reset after commit': { kind: 'after-commit-before-reply' },
  'cut body': { kind: 'mid-body' },
  'late commit within the settle time': { kind: 'late-commit', delayMs: 1000 },
  'no answer, committed': { kind: 'black-hole', commit: true },
  '500 committed': { kind: 'reply', commit: true, status: 500 },
  'no key in the reply': { kind: 'garble', how: 'no-ids' },
  malformed: { kind: 'garble', how: 'malformed' },
  'captive portal': { kind: 'garble', how: 'html' },
  empty: { kind: 'garble', how: 'empty' },
};

const NOT_DONE: Readonly<Record<string, ExchangeFault>> = {
  'reset before commit': { kind: 'after-send-before-commit' },
  '500 not committed': { kind: 'reply', commit: false, status: 500 },
};

const POST = { method: 'POST', path: '/api_keys' };
const SLOW: FaultRule = { when: POST, fault: { kind: 'latency', ms: 100 } };

describe('a lost reply', () => {
  it.each(Object.entries(NOT_DONE))('%s: where nothing shows, it is not sent again', async (_, fault) => {
    const rig = createRig();
    const run = await makeKey(rig, [vault()], [{ when: POST, fault }]);
    expect(run.result.steps[0]?.outcome).toBe('unknown');
    expect(JSON.stringify(run.events)).toMatch(/the reply was lost \([^"]*\), and the account does not show/);
    expect(run.writes).toEqual(['POST /api_keys']);
    expect(await liveKeys(rig)).toEqual([]);
    expect(run.result.secretsAtRisk).toEqual([]);
  });

  it.each(Object.entries(LOST))('%s: what came into being is told with its id, and left alone', async (_, fault) => {
    const rig = createRig();
    const run = await makeKey(rig, [vault()], [{ when: POST, fault }]);
    const [made] = await liveKeys(rig);
    expect(run.writes).toEqual(['POST /api_keys']);
    expect(run.result.steps[0]).toMatchObject({ outcome: 'unknown' });
    expect(run.result.steps[0]?.message).toContain(made?.id ?? 'nothing');
    expect(run.events).toContainEqual(
      expect.objectContaining({
        type: 'diagnostic',
        resourceId: made?.id,
        command: expect.stringContaining(`/api_keys/${made?.id}`) as unknown,
        diagnostic: expect.objectContaining({ code: 'secret_unproven' }) as unknown,
      }),
    );
  });

  it.each(Object.entries({ ...LOST, ...NOT_DONE }))("%s: somebody else's key of the name stays", async (_, fault) => {
    const rig = createRig();
    const theirs = rig.clock.sleep(1).then(() => rig.plane.issueKey('ci'));
    const run = await makeKey(rig, [vault()], [SLOW, { when: POST, fault }]);
    await theirs;
    expect(run.result.steps[0]).toMatchObject({ outcome: 'unknown' });
    for (const { id } of await liveKeys(rig)) expect(run.result.steps[0]?.message).toContain(id);
    expect(run.writes).toEqual(['POST /api_keys']);
  });
});

describe('places that fail', () => {
  it('full at the reservation: nothing is sent', async () => {
    const rig = createRig();
    const good = vault();
    const run = await makeKey(rig, [good, vault({ reserve: true })]);
    expect(run.result.steps[0]?.outcome).toBe('failed');
    expect(run.writes).toEqual([]);
    expect(good.released).toBe(1);
  });

  it('full at the store: the key is revoked again and the first place holds what it held', async () => {
    const rig = createRig();
    const first = vault();
    first.held = { id: '1', value: 'old' };
    const run = await makeKey(rig, [first, vault({ store: true })]);
    expect(run.result.steps[0]).toMatchObject({ outcome: 'failed' });
    expect(await liveKeys(rig)).toEqual([]);
    expect(first.held).toEqual({ id: '1', value: 'old' });
    expect(run.result.secretsAtRisk).toEqual([]);
  });

  it('neither stored nor revoked: at risk, with the id', async () => {
    const rig = createRig();
    const run = await makeKey(rig, [vault({ store: true })], [refuses({ method: 'DELETE' }, 500)]);
    const [left] = await liveKeys(rig);
    const command = `printf 'Authorization: Bearer %s' "$TRUEUP_API_KEY" | curl -X DELETE -H @- '${rig.client.baseUrl}/api_keys/${left?.id}'`;
    expect(run.result.secretsAtRisk).toEqual([{ address: 'api_keys/ci', id: left?.id, command }]);
    expect(run.result.secretsAtRisk).toHaveLength(1);
  });

  it.each<readonly [string, ExchangeFault]>([
    ['says that it is done', { kind: 'pretend' }],
    ['is that there is no such key', { kind: 'reply', commit: false, status: 404, body: '{"message":"not found"}' }],
  ])('a removal whose answer %s while the key stays is none: at risk', async (_, fault) => {
    const rig = createRig();
    const run = await makeKey(rig, [vault({ store: true })], [always({ method: 'DELETE' }, fault)]);
    const [left] = await liveKeys(rig);
    expect(run.result.secretsAtRisk.map(({ id }) => id)).toEqual([left?.id]);
    expect(run.result.steps[0]?.outcome).toBe('failed');
  });

  it('a list that lags behind the removal is looked at again', async () => {
    const rig = createRig();
    const lags = { method: 'GET', path: '/api_keys', after: 3, forMs: 3000 };
    const run = await makeKey(rig, [vault({ store: true })], [always(lags, { kind: 'list', how: 'stale', back: 1 })]);
    expect(await liveKeys(rig)).toEqual([]);
    expect(run.result.secretsAtRisk).toEqual([]);
    expect(run.writes).toEqual(['POST /api_keys', expect.stringMatching(/^DELETE/)]);
  });

  /** The list, if the id of the new key were another one's. */
  const reused = (name: string): ExchangeFault => ({
    kind: 'reply',
    commit: false,
    status: 200,
    body: JSON.stringify([{ id: 165002, name, created_at: '2026-01-01T00:00:00Z', last_used_at: null }]),
  });

  it('what is listed under its id before the removal and is another one is never removed: at risk, without a command', async () => {
    const rig = createRig();
    const run = await makeKey(
      rig,
      [vault({ store: true })],
      [always({ method: 'GET', path: '/api_keys', after: 1 }, reused('production'))],
    );
    expect(run.writes).toEqual(['POST /api_keys']);
    expect(run.result.secretsAtRisk).toHaveLength(1);
    expect(JSON.stringify(run.events)).not.toContain('curl');
  });

  it.each([429, 503])(
    'a removal that was told to come later (%i) is sent again, and proved by the list',
    async (status) => {
      const rig = createRig();
      const fault: ExchangeFault = { kind: 'reply', commit: true, status, body: '{}', headers: { 'retry-after': '4' } };
      const run = await makeKey(rig, [vault({ store: true })], [always({ method: 'DELETE' }, fault)]);
      expect(new Set(run.writes)).toEqual(new Set(['POST /api_keys', 'DELETE /api_keys/165002']));
      expect(await liveKeys(rig)).toEqual([]);
      expect(run.result.secretsAtRisk).toEqual([]);
    },
  );
});

describe('a value that no place is given', () => {
  const values: Readonly<Record<string, string>> = {
    'a line break': 'napi_a\nb',
    'a carriage return': 'napi_a\rb',
    'a line separator': 'napi_a\u2028b',
    'a paragraph separator': 'napi_a\u2029b',
    NUL: 'napi_a\0b',
    DEL: 'napi_a\u007fb',
    'a control of C1': 'napi_a\u0085b',
    'an escape': 'napi_\u001b[2J',
    'a lone surrogate': 'napi_\ud800',
    'a mark that turns text around': 'napi_\u202eb',
    nothing: '',
    blanks: '   ',
    'absurd length': `napi_${'a'.repeat(5000)}`,
  };
  it.each(Object.entries(values))('%s: nothing is stored, and its key is revoked', async (_, value) => {
    const rig = createRig();
    const sinks = [vault(), vault()];
    const run = await makeKey(rig, sinks, [{ when: POST, fault: { kind: 'rewrite', at: 'key', value } }]);
    expect(run.result.steps[0]?.outcome).toBe('failed');
    expect(run.writes.map((line) => line.split(' ')[0])).toEqual(['POST', 'DELETE']);
    expect(sinks.map(({ held }) => held)).toEqual([null, null]);
    expect(await liveKeys(rig)).toEqual([]);
    if (value.trim() !== '') expect(JSON.stringify(run.events)).not.toContain(JSON.stringify(value).slice(1, -1));
  });
});

describe('the first use', () => {
  it('refused: the key is removed and the place put back', async () => {
    const rig = createRig();
    const sink = vault();
    const run = await makeKey(
      rig,
      [sink],
      [refuses({ method: 'GET', path: '/projects' }, 401, '{"code":"","message":"no such key"}')],
    );
    expect(run.result.steps[0]?.outcome).toBe('failed');
    expect(sink.held).toBeNull();
    expect(await liveKeys(rig)).toEqual([]);
  });

  it.each<readonly [string, ExchangeFault]>([
    ['no connection', { kind: 'before-connect' }],
    ['a captive portal', { kind: 'garble', how: 'html' }],
    ['another shape', { kind: 'reply', commit: false, status: 200, body: '{"hello":1}' }],
    ['a gate in between', { kind: 'reply', commit: false, status: 401, body: '<html>Sign in</html>' }],
    ['nobody in particular', { kind: 'reply', commit: false, status: 401, body: '{}' }],
    ['a redirect', { kind: 'reply', commit: false, status: 302, body: '', headers: { location: '/sign-in' } }],
    ['a broken service', { kind: 'reply', commit: false, status: 500, body: '{}' }],
    ['a refusal for another reason', { kind: 'reply', commit: false, status: 403, body: '{"message":"no"}' }],
  ])('proves nothing by %s: unknown, the key stays where it is stored', async (_, fault) => {
    const rig = createRig();
    const sink = vault();
    const run = await makeKey(rig, [sink], [always({ method: 'GET', path: '/projects' }, fault)]);
    expect(run.result.steps[0]?.outcome).toBe('unknown');
    expect((await liveKeys(rig)).map(({ id }) => id)).toEqual([sink.held?.id]);
  });
});

describe('the journal', () => {
  const INTENT = /^intent 0 true$/;
  const recording = (): { readonly notes: string[]; readonly journal: Journal } => {
    const notes: string[] = [];
    return {
      notes,
      journal: {
        intent: async (_, known, secret) => void notes.push(`intent ${known.length} ${secret}`),
        note: async (_, state, id) => void notes.push(`${state} ${id ?? '-'}`),
        close: async () => undefined,
      },
    };
  };

  it.each<readonly [string, FaultRule[], boolean, RegExp]>([
    ['a plain run', [], false, /^intent 0 true, acked (\d+), stored \1$/],
    ['a lost reply, nothing made', [{ when: POST, fault: { kind: 'after-send-before-commit' } }], false, INTENT],
    ['a lost reply, one made', [{ when: POST, fault: { kind: 'after-commit-before-reply' } }], false, INTENT],
    ['a store that fails', [], true, /^intent 0 true, acked (\d+), failed \1$/],
  ])('has every step of %s, intent before the request', async (_, rules, failing, expected) => {
    const { notes, journal } = recording();
    await makeKey(createRig(), [vault({ store: failing })], rules, { journal });
    expect(notes.join(', ')).toMatch(expected);
  });
});

describe('a hard stop', () => {
  it('finishes the store and the first use', async () => {
    const rig = createRig();
    const sink = vault();
    const hard = new AbortController();
    const run = await makeKey(rig, [sink], [{ when: POST, fault: { kind: 'latency', ms: 2000 } }], {
      stop: { soft: hard.signal, hard: hard.signal },
      emit: (event) => {
        if (event.type === 'apply_start') hard.abort();
      },
    });
    expect(run.report.halted).toBe('interrupted');
    expect(await liveKeys(rig)).toEqual([{ id: sink.held?.id, used: true }]);
  });
});
