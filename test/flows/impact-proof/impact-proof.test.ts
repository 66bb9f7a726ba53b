// The plan's word on impact against what then happens in the control plane, for every attribute and action.
import { writableOf } from '../../../src/model/attributes.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compute } from '../../../src/kinds/compute/compute.ts';
import { runs } from '../../support/property-runs.ts';
import { COMPUTE, carryOut, type RunInput, type RunOutcome } from './live-run.ts';

const PINNED = `id: ${COMPUTE}, branch_id: br-wispy-meadow-118737`;
const MOVED = `id: ${COMPUTE}, branch_id: br-calm-sea-220011`;

interface Case {
  readonly name: string;
  /** The attribute that it is about; null for an action of its own. */
  readonly attribute: string | null;
  readonly wish: string;
  readonly live?: NonNullable<RunInput['live']>;
}

const ATTRIBUTES: readonly Case[] = [
  { name: 'minimum size', attribute: 'autoscaling_limit_min_cu', wish: `${PINNED}, autoscaling_limit_min_cu: 2` },
  { name: 'maximum size', attribute: 'autoscaling_limit_max_cu', wish: `${PINNED}, autoscaling_limit_max_cu: 4` },
  {
    name: 'fixed size',
    attribute: 'autoscaling_limit_max_cu',
    wish: `${PINNED}, autoscaling_limit_min_cu: 4, autoscaling_limit_max_cu: 4`,
    live: { autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 },
  },
  { name: 'autosuspend', attribute: 'suspend_timeout_seconds', wish: `${PINNED}, suspend_timeout_seconds: 3600` },
  { name: 'settings', attribute: 'settings', wish: `${PINNED}, settings: { pg_settings: { work_mem: 64MB } }` },
  { name: 'pooler', attribute: 'pooler_enabled', wish: `${PINNED}, pooler_enabled: true` },
  { name: 'switched off', attribute: 'disabled', wish: `${PINNED}, disabled: true` },
  { name: 'passwordless access', attribute: 'passwordless_access', wish: `${PINNED}, passwordless_access: false` },
  { name: 'provisioner', attribute: 'provisioner', wish: `${PINNED}, provisioner: k8s-pod` },
  { name: 'name', attribute: 'name', wish: `${PINNED}, name: storefront` },
  { name: 'branch', attribute: 'branch_id', wish: MOVED },
  { name: 'branch and size', attribute: 'branch_id', wish: `${MOVED}, autoscaling_limit_min_cu: 2` },
  { name: 'type', attribute: 'type', wish: `${PINNED}, type: read_only` },
];
const ACTIONS: readonly Case[] = [
  { name: 'deletion', attribute: null, wish: `id: ${COMPUTE}, state: absent` },
  { name: 'restart', attribute: null, wish: `${PINNED}, restart: { not_before: 2025-12-30T00:00:00Z }` },
  { name: 'nothing', attribute: null, wish: PINNED },
];

describe('impact', () => {
  it('is proved for every attribute that a file may name', () => {
    // Nothing can change the region of a compute, nor the mode of its pooler, of which the service has only one.
    const fixed = ['region_id', 'pooler_mode'];
    const provable = writableOf(compute).filter((attribute) => !fixed.includes(attribute));
    const proved = new Set(ATTRIBUTES.map(({ attribute }) => attribute));
    expect(provable.filter((attribute) => !proved.has(attribute))).toEqual([]);
  });

  it.each([...ATTRIBUTES, ...ACTIONS])('$name: on an active compute what was said is what happens', async (one) => {
    const outcome = await carryOut({ ...one, state: 'active' });
    const { said, ledger, stillConnected, before, after } = outcome;
    expect(said === undefined).toBe(one.name === 'nothing');
    expect(stillConnected).toBe(!says(outcome, 'drops_connections'));
    expect(ledger.some(({ droppedConnections }) => droppedConnections)).toBe(says(outcome, 'drops_connections'));
    if (said?.action === 'update')
      expect(ledger.some(({ restarted }) => restarted)).toBe(said.attributes.some(({ restarts }) => restarts));
    expect(after === undefined).toBe(says(outcome, 'permanent'));
    if (says(outcome, 'cold_start')) expect(after?.generation).toBeGreaterThan(before.generation);
    else if (after !== undefined && !after.disabled) expect(after.currentState).toBe('active');
    if (says(outcome, 'host_changes')) expect(outcome.computes.map(({ id }) => id)).not.toContain(COMPUTE);
    expectNumbers(outcome);
  });

  it('is never less than what happens, for any wish and any way of the service that the API reference leaves open', async () => {
    const members = fc.record(
      {
        autoscaling_limit_min_cu: fc.constantFrom(0.5, 1, 2),
        autoscaling_limit_max_cu: fc.constantFrom(2, 4, 8),
        suspend_timeout_seconds: fc.constantFrom(-1, 0, 600),
        settings: fc.constantFrom('{ pg_settings: { work_mem: 64MB } }', '{ pg_settings: {} }'),
        pooler_enabled: fc.boolean(),
        disabled: fc.boolean(),
        passwordless_access: fc.boolean(),
        name: fc.constantFrom('one', 'two'),
      },
      { requiredKeys: [] },
    );
    const switches = fc.record({
      settingsChange: fc.constantFrom('restarts' as const, 'reloads' as const),
      resizeActive: fc.constantFrom('suspend_and_start' as const, 'suspend_only' as const),
      resizeIdle: fc.constantFrom('no_operation' as const, 'apply_config' as const),
    });
    const state = fc.constantFrom('active' as const, 'idle' as const);
    await fc.assert(
      fc.asyncProperty(members, switches, state, fc.boolean(), async (wish, how, current, moves) => {
        const entries = Object.entries(wish).map(([key, value]) => `${key}: ${String(value)}`);
        const text = [moves ? MOVED : PINNED, ...entries].join(', ');
        const outcome = await carryOut({ wish: text, state: current, switches: how });
        const happened = outcome.ledger.some(({ restarted, droppedConnections }) => restarted || droppedConnections);
        if (happened) expect(says(outcome, 'drops_connections')).toBe(true);
        if (outcome.stillConnected === false) expect(says(outcome, 'drops_connections')).toBe(true);
        expectNumbers(outcome);
      }),
      runs(30),
    );
  });
});

function says({ said }: RunOutcome, impact: string): boolean {
  return said?.impact.some((word) => word === impact) ?? false;
}

/** Connections before and after are those of the control plane; without numbers they stay what they were. */
function expectNumbers({ said, limitsBefore, limitsAfter }: RunOutcome): void {
  if (limitsAfter === null) return;
  const told = said?.impactDetails['max_connections'] ?? {
    before: limitsBefore.maxConnections,
    after: limitsBefore.maxConnections,
  };
  expect(told).toEqual({ before: limitsBefore.maxConnections, after: limitsAfter.maxConnections });
}
