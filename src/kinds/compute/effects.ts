// The worst effects of a change on clients, by the rules on changes and the size table (api-rules 5, 13.3).
import { sizeOf } from '../../api/size-table.ts';
import { numberOf, type Json, type JsonObject } from '../../base/json.ts';
import type { DesiredProject } from '../../model/desired.ts';
import { branchLabel, branchWords } from '../shared/branch-labels.ts';
import type { LiveResource } from '../../model/live.ts';
import { coversPath } from '../../model/paths.ts';
import { IMPACTS, type Impact } from '../../model/outcome/impact.ts';
import type { AttributeChange } from '../../model/outcome/plan.ts';
import type { Effect, EffectInput, KindRules } from '../../plan/kind-rules.ts';

type Outage = 'no_primary' | 'other_data' | 'refuses_connections' | 'access_changes';

const MINIMUM = 'autoscaling_limit_min_cu';
const MAXIMUM = 'autoscaling_limit_max_cu';

/** Effects are the worst case, and an idle compute is a note. */
export const computeEffects: KindRules['effects'] = {
  update: (input) =>
    changed(input, input.attributes.some((one) => one.restarts || disables(one)) ? ['drops_connections'] : []),
  move: (input) => changed(input, ['drops_connections', 'cold_start']),
  replace: (input) => changed(input, ['permanent', 'drops_connections', 'host_changes']),
  restart: ({ live }) => effectOf(live, ['drops_connections', 'cold_start']),
  delete: ({ live }) => effectOf(live, ['permanent', 'drops_connections']),
  leave,
};

function changed(input: EffectInput, own: readonly Impact[]): Effect {
  const size = sizeChange(input);
  const outages = outagesOf(input);
  const impact = [...own, ...(size?.impact === true ? ['max_connections'] : []), ...Object.keys(outages)];
  const { notes, ...effect } = effectOf(input.live, impact);
  return { ...effect, details: { ...outages, ...size?.details }, notes: [...(size?.notes ?? []), ...notes] };
}

function effectOf(live: LiveResource | null, unordered: readonly Impact[]): Effect {
  const impact = ordered(unordered);
  const idle = impact.includes('drops_connections') && live?.observed['current_state'] === 'idle';
  return {
    impact,
    details: {},
    notes: idle ? ['no connection is open now: the compute is idle'] : [],
  };
}

function ordered(impact: readonly Impact[]): Impact[] {
  const found = IMPACTS.filter((word) => impact.includes(word));
  return found.length === 0 ? ['none'] : found;
}

function disables({ path, before, after }: AttributeChange): boolean {
  return path === 'disabled' && after === true && before !== true;
}

/** These attributes decide who can connect. */
const ACCESS = ['passwordless_access', 'pooler_enabled', 'pooler_mode', 'settings.pgbouncer_settings'];

function outagesOf({ action, attributes, before, after, project }: EffectInput): Partial<Record<Outage, JsonObject>> {
  const access = attributes.filter(({ path }) => ACCESS.some((one) => coversPath(one, path)));
  const changed = access.map((one) => `${one.path} ${sideOf(one.before)} → ${sideOf(one.after)}`);
  return {
    ...(action === 'move' ? { other_data: otherData(before?.['branch_id'], after?.['branch_id'], project) } : {}),
    ...(attributes.some(disables)
      ? { refuses_connections: { words: 'refuses connections until the compute is enabled again' } }
      : {}),
    ...(access.length === 0
      ? {}
      : {
          access_changes: {
            paths: access.map(({ path }) => path),
            words: `access changes: ${changed.join(', ')}`,
          },
        }),
  };
}

function otherData(from: Json | undefined, to: Json | undefined, project: DesiredProject | null): JsonObject {
  const [before, after] = [from, to].map((id) => branchWords(id, project));
  return {
    before: from ?? null,
    after: to ?? null,
    words: `the host will serve ${after} instead of ${before}`,
  };
}

function sideOf(value: Json): string {
  return value === null ? 'not set' : JSON.stringify(value);
}

/** Without a primary, no client can write to a branch. */
function leave({ before, project, leaving }: EffectInput): Effect {
  const id = before?.['branch_id'];
  const branch = branchWords(id, project);
  const { until = null, isPassage = false } = leaving ?? {};
  const words = leaving === undefined ? `${branch} has no primary now` : vacancyWords(branch, until, isPassage);
  const passage = isPassage ? { passage: true } : {};
  const details = { no_primary: { branch_id: id ?? null, branch: branchLabel(id, project), until, ...passage, words } };
  return { impact: ['no_primary'], details, notes: [] };
}

function vacancyWords(branch: string, until: string | null, isPassage: boolean): string {
  if (until !== null)
    return `${branch} has no primary until ${until} is there; if the run is interrupted, the branch stays without a primary`;
  if (isPassage) return `${branch} is without a primary again: lifecycle.via uses this branch as the temporary branch`;
  return `${branch} is left without a primary: no client can write to the branch`;
}

interface SizeChange {
  readonly impact: boolean;
  readonly details: JsonObject;
  readonly notes: readonly string[];
}

/** The minimum size sets connections, RAM and cache, which do not scale up ("Limits"). */
function sizeChange({ before, after, live }: EffectInput): SizeChange | null {
  const was = boundsOf({ ...live?.spec, ...before });
  const will = boundsOf({ ...live?.spec, ...after });
  if (was.text === will.text) return null;
  if (was.minimum === will.minimum || was.minimum === null || will.minimum === null) return null;
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
    notes: offTable.map((units) => `${units} CU is not in the size table, so its connection limit is not known`),
  };
}

/** `0.25–1 CU`, or `1 CU` for equal bounds. */
export function boundsOf(spec: JsonObject): { readonly text: string; readonly minimum: number | null } {
  const minimum = numberOf(spec[MINIMUM]);
  const maximum = numberOf(spec[MAXIMUM]);
  const text = minimum === maximum ? `${minimum ?? '?'} CU` : `${minimum ?? '?'}–${maximum ?? '?'} CU`;
  return { text, minimum };
}
