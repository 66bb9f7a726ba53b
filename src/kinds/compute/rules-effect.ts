// What a change does to the people connected, at worst: from the API page's rules on changes and its size table.
import { sizeOf } from '../../api/size-table.ts';
import { unreachable } from '../../base/assert.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Impact } from '../../model/plan.ts';
import type { Effect, EffectInput } from '../../plan/kind-rules.ts';

const MINIMUM = 'autoscaling_limit_min_cu';
const MAXIMUM = 'autoscaling_limit_max_cu';

const NOTHING: Effect = { impact: ['none'], details: {}, notes: [] };

/** The worst case; that nobody can be connected just now is a note. */
export function computeEffect(input: EffectInput): Effect {
  if (input.action === 'none') return NOTHING;
  const impact = impactOf(input);
  const { live } = input;
  const idle = impact.includes('drops_connections') && live?.observed['current_state'] === 'idle';
  const size =
    input.action === 'update' || input.action === 'move' || input.action === 'replace' ? sizeChange(input) : null;
  const changesLimit = size?.impact === true;
  return {
    impact: ordered([...impact, ...(changesLimit ? (['max_connections'] as const) : [])]),
    details: size?.details ?? {},
    notes: [...(size?.notes ?? []), ...(idle ? ['idle just now: nothing to drop'] : [])],
  };
}

function impactOf({ action, attributes }: EffectInput): Impact[] {
  switch (action) {
    case 'none':
    case 'create':
    case 'rotate':
      return [];
    case 'delete':
    case 'revoke':
      return ['permanent', 'drops_connections'];
    case 'replace':
      return ['permanent', 'drops_connections', 'host_changes'];
    case 'move':
    case 'restart':
      return ['drops_connections', 'cold_start'];
    case 'update':
      return attributes.some(({ path, after, restarts }) => restarts || (path === 'disabled' && after === true))
        ? ['drops_connections']
        : [];
    default:
      return unreachable(action);
  }
}

const ORDER: readonly Impact[] = ['permanent', 'drops_connections', 'host_changes', 'cold_start', 'max_connections'];

function ordered(impact: readonly Impact[]): Impact[] {
  const found = ORDER.filter((word) => impact.includes(word));
  return found.length === 0 ? ['none'] : found;
}

interface SizeChange {
  readonly impact: boolean;
  readonly details: JsonObject;
  readonly notes: readonly string[];
}

/** Connections, RAM and cache follow the minimum size ("Limits": max_connections is set by the minimum and does not scale up). */
function sizeChange({ before, after, live }: EffectInput): SizeChange | null {
  const was = boundsOf({ ...live?.spec, ...before });
  const will = boundsOf({ ...live?.spec, ...after });
  if (was.text === will.text) return null;
  const notes = [`size ${was.text} → ${will.text}`];
  if (was.minimum === will.minimum || was.minimum === null || will.minimum === null)
    return { impact: false, details: {}, notes };
  const [from, to] = [sizeOf(was.minimum), sizeOf(will.minimum)];
  const offTable = [from === undefined ? was.minimum : null, to === undefined ? will.minimum : null].filter(
    (units) => units !== null,
  );
  return {
    impact: from === undefined || to === undefined || from.maxConnections !== to.maxConnections,
    details: {
      max_connections: { before: from?.maxConnections ?? null, after: to?.maxConnections ?? null },
      ram_gb: { before: from?.ramGb ?? null, after: to?.ramGb ?? null },
      cache_gb: { before: from?.cacheGb ?? null, after: to?.cacheGb ?? null },
    },
    notes: [
      ...notes,
      ...offTable.map((units) => `${units} CU is not in the size table, so its connection limit is not known`),
    ],
  };
}

/** `0.25–1 CU`, or `1 CU` where both are the same. */
function boundsOf(spec: JsonObject): { readonly text: string; readonly minimum: number | null } {
  const minimum = numberOf(spec[MINIMUM]);
  const maximum = numberOf(spec[MAXIMUM]);
  const text = minimum === maximum ? `${minimum ?? '?'} CU` : `${minimum ?? '?'}–${maximum ?? '?'} CU`;
  return { text, minimum };
}

function numberOf(value: Json | undefined): number | null {
  return typeof value === 'number' ? value : null;
}
