// The worst effects of compute changes on clients, by the rules on changes and the size table (api-rules 5, 13.3).
import { listed } from '../../base/picked.ts';
import { sizeOf } from '../../api/size-table.ts';
import { numberOf, type JsonObject } from '../../base/json.ts';
import { branchLabel, branchWords } from '../shared/branch-labels.ts';
import { accessChange, effectOf, NOTHING, together } from '../shared/effects.ts';
import type { LiveResource } from '../../model/live.ts';
import { coversPath } from '../../model/values.ts';
import { IMPACTS, type Impact } from '../../model/outcome/impact.ts';
import type { AttributeChange } from '../../model/outcome/plan.ts';
import type { Effect, EffectInput, KindRules } from '../../plan/kind-rules.ts';

const MINIMUM = 'autoscaling_limit_min_cu';
const MAXIMUM = 'autoscaling_limit_max_cu';

/** Effects assume that clients are connected; for an idle compute, a note says that no connection is open. */
export const computeEffects: KindRules['effects'] = {
  update: (input) =>
    changed(input, input.attributes.some((one) => one.restarts || disables(one)) ? ['drops_connections'] : []),
  move: (input) => changed(input, ['drops_connections', 'cold_start']),
  replace: (input) => changed(input, ['permanent', 'drops_connections', 'host_changes']),
  restart: ({ live }) => worst(live, ['drops_connections', 'cold_start']),
  delete: ({ live }) => worst(live, ['permanent', 'drops_connections']),
  leave,
};

function changed(input: EffectInput, own: readonly Impact[]): Effect {
  const outages = together(...outagesOf(input));
  const capacity = capacityChange(input);
  const { impact, notes } = worst(input.live, [...own, ...capacity.impact, ...outages.impact]);
  return { impact, details: { ...outages.details, ...capacity.details }, notes: [...capacity.notes, ...notes] };
}

function worst(live: LiveResource | null, words: readonly Impact[]): Effect {
  const impact = IMPACTS.filter((word) => word !== 'none' && words.includes(word));
  const isIdle = impact.includes('drops_connections') && live?.observed['current_state'] === 'idle';
  return {
    impact: impact.length === 0 ? ['none'] : impact,
    details: {},
    notes: isIdle ? ['no connection is open now: the compute is idle'] : [],
  };
}

function disables({ path, before, after }: AttributeChange): boolean {
  return path === 'disabled' && after === true && before !== true;
}

const ACCESS = ['passwordless_access', 'pooler_enabled', 'pooler_mode', 'settings.pgbouncer_settings'];

function outagesOf({ action, attributes, before, after, project }: EffectInput): readonly Effect[] {
  const access = attributes.filter(({ path }) => ACCESS.some((one) => coversPath(one, path)));
  const [from, to] = [before?.['branch_id'] ?? null, after?.['branch_id'] ?? null];
  const words = `the host will serve ${branchWords(to, project)} instead of ${branchWords(from, project)}`;
  return listed(
    action === 'move' && effectOf('other_data', { before: from, after: to, words }),
    attributes.some(disables) && effectOf('refuses_connections', { words: DISABLED }),
    access.length > 0 && accessChange(access),
  );
}

const DISABLED = 'refuses connections until the compute is enabled again';

/** Returns the effect of a primary that leaves its branch: without a primary, no client can write to the branch. */
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

/** Only the minimum size sets the limits of connections, RAM and cache: autoscaling does not raise these limits (api-rules 13). */
function capacityChange({ before, after, live }: EffectInput): Effect {
  const [was, will] = [before, after].map((spec) => numberOf({ ...live?.spec, ...spec }[MINIMUM]));
  if (was === will || typeof was !== 'number' || typeof will !== 'number') return NOTHING;
  const [from, to] = [sizeOf(was), sizeOf(will)];
  const offTable = [from === undefined ? [was] : [], to === undefined ? [will] : []].flat();
  const isSame = offTable.length === 0 && from?.maxConnections === to?.maxConnections;
  return {
    impact: [isSame ? 'none' : 'max_connections'],
    details: {
      max_connections: { before: from?.maxConnections ?? null, after: to?.maxConnections ?? null },
      ram_gb: { before: from?.ramGb ?? null, after: to?.ramGb ?? null },
      cache_gb: { before: from?.cacheGb ?? null, after: to?.cacheGb ?? null },
    },
    notes: offTable.map((units) => `${units} CU is not in the size table, so its connection limit is not known`),
  };
}

export function sizeWords(spec: JsonObject): string {
  const [minimum, maximum] = [MINIMUM, MAXIMUM].map((path) => numberOf(spec[path]) ?? '?');
  return minimum === maximum ? `${minimum} CU` : `${minimum}–${maximum} CU`;
}
