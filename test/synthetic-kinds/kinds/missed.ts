// The rules of the kinds that are missed when they are gone: what is lost is consented to by its word.
import { isoTime } from '../../../src/base/time/clock.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import type { LiveResource } from '../../../src/model/live.ts';
import type { Effect, EffectInput, KindRules } from '../../../src/plan/kind-rules.ts';

export const MISSED: Partial<KindRules> = {
  consentWords: ['drop', 'recreate', 'shorten', 'access', 'oneway'],
  contents: {
    kinds: ['cellar'],
    of: () => [],
    stake: () => ({ usedAt: null, version: null, bytes: null }),
    lastUse: (live, around) => lastUse([live, ...inside(live, around)]),
  },
  verdict: ({ desired, live }) => ({
    intents: [],
    notes: [],
    diagnostics: [],
    blockedBy: [],
    vanished:
      live !== null || desired.pin === null
        ? null
        : `${desired.pin} is gone; it can be dug up until 2026-12-01T00:00:00Z`,
    consented: desired.options['disposable'] === true ? { restsOn: [] } : null,
  }),
  effects: { update: effectOf, delete: effectOf },
};

function inside({ id }: LiveResource, around: readonly LiveResource[]): readonly LiveResource[] {
  return around.filter(({ parentId }) => parentId === id);
}

function lastUse(all: readonly LiveResource[]): number | null {
  const times = all.flatMap(({ observed }) => Date.parse(String(observed['last_used'])) || []);
  return times.length === 0 ? null : Math.max(...times);
}

function effectOf({ action, attributes, live, around, project }: EffectInput): Effect {
  if (action === 'delete') return { impact: ['data_lost'], details: stakes(live, around), notes: [] };
  const consents = attributes.flatMap(({ path, before, after }) => {
    if (action !== 'update') return [];
    if (path === 'keeps' && Number(after) < Number(before)) return [{ word: 'shorten' }];
    if (path === 'open') return [{ word: 'access', address: project?.label ?? '' }];
    return path === 'sealed' ? [{ word: 'oneway' }] : [];
  });
  const shakes = action === 'update' && attributes.some(({ restarts }) => restarts);
  const isSealed = attributes.some(({ path }) => path === 'sealed');
  const impact = shakes ? 'drops_connections' : isSealed && action === 'update' ? 'gathers_dust' : 'none';
  return { impact: [impact], details: {}, notes: [], consents };
}

/** `data_lost: { words, holds, last_used }` */
function stakes(live: LiveResource | null, around: readonly LiveResource[]): JsonObject {
  if (live === null) return {};
  const holds = inside(live, around).length;
  const last = lastUse([live, ...inside(live, around)]);
  const used = last === null ? 'never used' : `last used ${isoTime(last)}`;
  const words = `${live.id} is lost: it holds ${holds}, ${used}, and can be dug up for 7 days`;
  return { data_lost: { words, holds, last_used: last === null ? null : isoTime(last) } };
}
