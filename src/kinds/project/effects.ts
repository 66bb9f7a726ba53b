// The effects of a change of a project on its data and its clients.
import type { Json, JsonObject } from '../../base/json.ts';
import { listOf } from '../../base/text/words.ts';
import { humanDuration } from '../../base/time/duration.ts';
import { coversPath } from '../../model/paths.ts';
import type { LiveResource } from '../../model/live.ts';
import type { AttributeChange } from '../../model/outcome/plan.ts';
import type { Effect, EffectInput, KindRules } from '../../plan/kind-rules.ts';
import { canonical } from './attributes.ts';
import { lastUseTold, sizeTold } from '../shared/last-use.ts';
import { computesIn, contentsWords, of } from './verdict.ts';

const NOTHING: Effect = { impact: ['none'], details: {}, notes: [] };

export const projectEffects: KindRules['effects'] = {
  create: () => ({ ...NOTHING, consents: [{ word: 'create' }] }),
  update: changed,
  delete: dropped,
};

/** The service keeps a deleted project recoverable for seven days. */
function dropped({ live, around }: EffectInput): Effect {
  if (live === null) return NOTHING;
  const used = lastUseTold(computesIn(around));
  const size = sizeTold(of(around, 'branch'));
  const all = listOf([`its data${size.words}`, ...contentsWords(around)]);
  return {
    impact: ['data_shelved', 'drops_connections'],
    details: {
      data_shelved: {
        words: `deletes ${all}; ${used.words}; recoverable for 7 days (POST /projects/${live.id}/recover)`,
        ...size.facts,
        ...used.facts,
        recoverable_days: 7,
      },
    },
    notes: [],
  };
}

/** Settings that decide who may connect. */
const ADMISSION = ['settings.allowed_ips', 'settings.block_public_connections', 'settings.block_vpc_connections'];
const QUOTA = 'settings.quota';
/** The service compares this quota with each branch. */
const SIZE = 'logical_size_bytes';
/** The service turns these settings on for good. */
const ONE_WAY = ['settings.enable_logical_replication', 'settings.hipaa', 'settings.audit_log_level'];
/** These settings drop the connections of all active computes. */
const SUSPENDING = ['settings.allowed_ips', 'settings.enable_logical_replication', 'settings.hipaa'];
const HISTORY = 'history_retention_seconds';

interface Part {
  readonly impact: string;
  readonly words: string;
  readonly consent: string | null;
}

function changed({ attributes, around }: EffectInput): Effect {
  const among = (paths: readonly string[]): readonly AttributeChange[] =>
    attributes.filter(({ path }) => paths.some((one) => coversPath(one, path)));
  const parts = [
    admissionOf(among(ADMISSION)),
    quotaOf(among([QUOTA]).filter(isLowered)),
    historyOf(among([HISTORY]).filter(isLowered)),
    oneWayOf(among(ONE_WAY).filter(leavesForGood)),
    suspensionOf(among(SUSPENDING), around),
  ].filter((part) => part !== null);
  if (parts.length === 0) return NOTHING;
  const words = new Map<string, readonly string[]>();
  for (const { impact, words: own } of parts) words.set(impact, [...(words.get(impact) ?? []), own]);
  const paths = [...among(ADMISSION), ...among([QUOTA]).filter(isLowered)].map(({ path }) => path);
  return {
    impact: [...words.keys()],
    details: Object.fromEntries(
      [...words].map(([impact, own]): [string, JsonObject] => [
        impact,
        { ...(impact === 'access_changes' ? { paths } : {}), words: own.join('; ') },
      ]),
    ),
    notes: among(['settings.preload_libraries']).length === 0 ? [] : [LIBRARIES],
    consents: [...new Set(parts.flatMap(({ consent }) => consent ?? []))].map((word) => ({ word })),
  };
}

const LIBRARIES = 'computes load other libraries at their next start';

function admissionOf(attributes: readonly AttributeChange[]): Part | null {
  if (attributes.length === 0) return null;
  const words = attributes.map(({ path, before, after }) => `${path} ${textOf(before)} → ${textOf(after)}`).join(', ');
  return { impact: 'access_changes', words: `access changes: ${words}`, consent: 'access' };
}

function quotaOf(attributes: readonly AttributeChange[]): Part | null {
  if (attributes.length === 0) return null;
  const names = attributes.map(({ path }) => path.slice(QUOTA.length + 1));
  const used = names.filter((name) => name !== SIZE);
  const words = [
    ...(used.length === 0
      ? []
      : [
          `when ${listOf(used)} ${used.length === 1 ? 'is' : 'are'} used up, the service suspends all active computes until the period ends`,
        ]),
    ...(names.includes(SIZE) ? [`a branch larger than ${SIZE} takes no more writes`] : []),
  ];
  return { impact: 'access_changes', words: words.join('; '), consent: 'access' };
}

function historyOf([lowered]: readonly AttributeChange[]): Part | null {
  if (lowered === undefined) return null;
  const words = `the service discards history older than ${humanDuration(Number(lowered.after) * 1000)} at once`;
  return { impact: 'data_lost', words, consent: 'shorten' };
}

/** Levels of the audit log other than `base` can follow each other. */
function leavesForGood({ path, before }: AttributeChange): boolean {
  return path !== 'settings.audit_log_level' || canonical(path, before) === 'base';
}

function oneWayOf(attributes: readonly AttributeChange[]): Part | null {
  if (attributes.length === 0) return null;
  const names = listOf(attributes.map(({ path }) => path));
  return { impact: 'one_way', words: `${names} cannot be reverted`, consent: 'oneway' };
}

/** A compute may become active before the request, so the effect counts without active computes, too. */
function suspensionOf(attributes: readonly AttributeChange[], around: readonly LiveResource[]): Part | null {
  if (attributes.length === 0) return null;
  const active = around
    .filter(({ kind, observed }) => kind === 'compute' && observed['current_state'] !== 'idle')
    .map(({ id }) => id)
    .sort();
  const named = active.length > 5 ? `${listOf(active.slice(0, 5))} and ${active.length - 5} more` : listOf(active);
  const whose = active.length === 0 ? 'none is active now' : `now ${named}`;
  return {
    impact: 'drops_connections',
    words: `drops the connections of all active computes: ${whose}`,
    consent: null,
  };
}

/** A quota of 0 means no quota, so it is above all others. */
function isLowered({ path, before, after }: AttributeChange): boolean {
  const heightOf = (value: Json): number => {
    const known = Number(canonical(path, value));
    return path !== HISTORY && known === 0 ? Infinity : known;
  };
  return heightOf(after) < heightOf(before);
}

function textOf(value: Json): string {
  return value === null ? 'not set' : JSON.stringify(value);
}
