// Live computes are what a reply shows of them, member by member, whatever is missing.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Endpoint } from '../../../../src/api/index.ts';
import type { Json } from '../../../../src/base/json.ts';
import { table } from '../../../../src/kinds/compute/compute.ts';
import { liveOf } from '../../../../src/kinds/shared/wire.ts';
import { runs } from '../../../support/property-runs.ts';

const text = fc.constantFrom('a', 'b', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z');
const size = fc.constantFrom(0.25, 1, 2);
const group = fc.dictionary(fc.constantFrom('work_mem', 'jit'), fc.constantFrom('1', '2'));
const spec = {
  branch_id: text,
  type: fc.constantFrom('read_write', 'read_only'),
  name: fc.option(text),
  region_id: text,
  autoscaling_limit_min_cu: size,
  autoscaling_limit_max_cu: size,
  suspend_timeout_seconds: fc.constantFrom(0, 300),
  settings: fc.record({ pg_settings: group, pgbouncer_settings: group }, { requiredKeys: [] }),
  pooler_enabled: fc.boolean(),
  pooler_mode: text,
  disabled: fc.boolean(),
  passwordless_access: fc.boolean(),
  provisioner: text,
};
const observed = {
  host: fc.constantFrom('a', 'ep-1', 'ep-1.east', 'ep-1.west', 'ep-12.east', 'ep-12.west', 'ep-2.east'),
  proxy_host: text,
  current_state: text,
  pending_state: fc.option(text),
  last_active: text,
  started_at: text,
  suspended_at: text,
  disabled: fc.boolean(),
  creation_source: text,
  created_at: text,
  updated_at: text,
};

const whole = fc.record({ id: fc.constantFrom('ep-1', 'ep-12'), ...spec, ...observed });
const endpoint = fc
  .tuple(whole, fc.constantFrom('', ...Object.keys({ ...spec, ...observed })))
  .map(
    ([all, missing]) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => name !== missing)) as unknown as Endpoint,
  );

/** The members that are shown, in their order. */
function shownOf(one: Endpoint, names: readonly string[]): string {
  const members = one as unknown as Readonly<Record<string, Json | undefined>>;
  return JSON.stringify(
    Object.fromEntries(names.flatMap((name) => (members[name] === null ? [] : [[name, members[name]]]))),
  );
}

it('shows each compute as its reply does, in one order of members', () => {
  fc.assert(
    fc.property(fc.array(endpoint, { maxLength: 6 }), (endpoints) => {
      const texts = endpoints
        .map((one) => liveOf(table, one, { projectId: 'shop' }))
        .map((live) => [JSON.stringify(live.spec), JSON.stringify(live.observed), live.createdAtMs]);
      expect(texts).toEqual(
        endpoints.map((one) => [
          shownOf(one, Object.keys(spec)),
          shownOf(one, Object.keys(observed)),
          Number.isNaN(Date.parse(one.created_at ?? '')) ? null : Date.parse(one.created_at ?? ''),
        ]),
      );
    }),
    runs(300),
  );
});
