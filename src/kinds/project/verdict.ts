// Judges changes of projects: their effects, which changes the service would refuse, and which resources are deleted with a project.
import { arrayOf, jsonEqual, type JsonObject, type Json } from '../../base/json.ts';
import { listed } from '../../base/picked.ts';
import { valueAt, coversPath } from '../../model/values.ts';
import { errorAt, type DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Contents, LiveResource } from '../../model/live.ts';
import type { Block, AttributeChange } from '../../model/outcome/plan.ts';
import type { KindRules, Effect, EffectInput } from '../../plan/kind-rules.ts';
import type { Judge } from '../define.ts';
import {
  keptBy,
  lastUseOf,
  namedWords,
  ofKind,
  protection,
  stakeOf,
  accessChange,
  effectOf,
  NOTHING,
  shelved,
  together,
} from '../shared/effects.ts';
import { goneIn, vanishedWords } from '../shared/vanished.ts';
import { canonical, FOR_GOOD_ONCE_ON, attributes as rows } from './attributes.ts';
import { listOf, listOfFirst } from '../../base/text/words.ts';
import { humanDuration } from '../../base/time/duration.ts';
import { asPart } from '../../model/address.ts';
import { attributeAt } from '../../model/attributes.ts';

export const projectVerdict: Judge = ({ desired, live, context: { facts } }) => {
  const { spec, pin, options, absent } = desired;
  const sought = { pin, names: [options['name']], pathOf: (id: string) => `/projects/${id}` };
  const refused = turnedBack(spec, live?.spec ?? {});
  return {
    notes: refused,
    blockedBy: listed<Block>(refused.length > 0 && 'refused'),
    diagnostics: live === null && !absent ? elsewhere(desired, facts) : [],
    vanished: live === null ? vanishedWords(goneIn(facts), sought) : null,
  };
};

/** Returns the error for a project in an organization that this run does not list: every run would create the project again. */
function elsewhere(desired: DesiredResource, { org_id: ours, elsewhere: others }: JsonObject): readonly Diagnostic[] {
  const { address, options, spec } = desired;
  const { org_id: org } = spec;
  const isThere = arrayOf(others).some((one) => jsonEqual(one, { org_id: org ?? null, name: options['name'] ?? null }));
  if (typeof org !== 'string' || (typeof ours === 'string' ? ours === org : !isThere)) return [];
  const message =
    typeof ours === 'string'
      ? `${address} is declared in ${org}, but this run lists the projects of ${ours}`
      : `${org} has a project named ${JSON.stringify(options['name'])}, but this run does not list the projects there`;
  const hint = `Pass --org-id ${org}, or correct create.org_id.`;
  return [errorAt(desired, 'org_id', 'other_organization', message, hint)];
}

function turnedBack(desired: JsonObject, live: JsonObject): readonly string[] {
  return Object.entries(FOR_GOOD_ONCE_ON).flatMap(([path, off]) => {
    const segments = path.split('.');
    if (valueAt(desired, segments) !== off || canonical(path, valueAt(live, segments)) === off) return [];
    return [`${path} cannot be reverted: remove it from the file, or write the live value`];
  });
}

/** The service deletes no project with a protected branch (api-rules 3.12). */
export const removalGuard: NonNullable<KindRules['removalGuard']> = (_live, { around }) =>
  keptBy(
    [true, null].flatMap((isSo) => {
      const branches = ofKind(around, 'branch').filter(({ spec }) => (spec['protected'] ?? null) === isSo);
      const names = branches.map(({ spec }) => String(spec['name']));
      return namedWords('branch', 'branches', names).map((words) =>
        protection(isSo, words, names.length === 1 ? 'is' : 'are'),
      );
    }),
  );

export const contents: Contents = {
  kinds: ['branch', 'compute', 'role', 'database'],
  of: (_live, around) => around.filter(({ kind }) => contents.kinds.includes(kind)),
  stake: (_live, around) => stakeOf(ofKind(around, 'compute'), ofKind(around, 'branch')),
  lastUse: (_live, around) => lastUseOf(ofKind(around, 'compute')),
};

export const projectEffects: KindRules['effects'] = {
  create: () => ({ ...NOTHING, consents: ['create'] }),
  update: changed,
  delete: dropped,
};

function dropped({ live, around }: EffectInput): Effect {
  if (live === null) return NOTHING;
  const [branches, computes] = [ofKind(around, 'branch'), ofKind(around, 'compute')];
  const names = new Map(branches.map(({ id, spec }) => [id, asPart(String(spec['name']))]));
  const nameOf = ({ id, kind, parentId, spec }: LiveResource): string =>
    kind === 'compute'
      ? id
      : (names.get(id) ?? `${names.get(parentId ?? '') ?? parentId ?? ''}/${asPart(String(spec['name']))}`);
  const { impact, ...effect } = shelved({ path: `/projects/${live.id}`, computes, branches, contents: around, nameOf });
  return { ...effect, impact: [...impact, 'drops_connections'] };
}

const ADMISSION = ['settings.allowed_ips', 'settings.block_public_connections', 'settings.block_vpc_connections'];
const QUOTA = 'settings.quota';
/** This quota limits each branch; the other quotas limit the whole project. */
const SIZE = 'logical_size_bytes';
const HISTORY = 'history_retention_seconds';

function changed({ attributes, around }: EffectInput): Effect {
  const among = (...paths: readonly string[]): readonly AttributeChange[] =>
    attributes.filter(({ path }) => paths.some((one) => coversPath(one, path)));
  const admission = among(...ADMISSION);
  const quotas = among(QUOTA).filter(isLowered);
  const paths = [...admission, ...quotas].map(({ path }) => path);
  const [shortened] = among(HISTORY).filter(isLowered);
  const forGood = among(...Object.keys(FOR_GOOD_ONCE_ON)).filter(leavesForGood);
  const isSuspending = attributes.some(({ path }) => attributeAt({ attributes: rows }, path).affects !== undefined);
  return together(
    ...listed(
      admission.length > 0 && accessChange(admission, paths, 'access'),
      quotas.length > 0 && effectOf('access_changes', { paths, words: quotaWords(quotas) }, 'access'),
      shortened && effectOf('data_lost', { words: historyWords(shortened) }, 'shorten'),
      forGood.length > 0 &&
        effectOf('one_way', { words: `${listOf(forGood.map(({ path }) => path))} cannot be reverted` }, 'oneway'),
      isSuspending && effectOf('drops_connections', { words: suspensionWords(around) }),
    ),
  );
}

function quotaWords(attributes: readonly AttributeChange[]): string {
  const names = attributes.map(({ path }) => path.slice(QUOTA.length + 1));
  const used = names.filter((name) => name !== SIZE);
  const are = `${listOf(used)} ${used.length === 1 ? 'is' : 'are'}`;
  return listed(
    used.length > 0 && `when ${are} used up, the service suspends all active computes until the period ends`,
    names.includes(SIZE) && `a branch larger than ${SIZE} takes no more writes`,
  ).join('; ');
}

function historyWords({ after }: AttributeChange): string {
  return `the service discards history older than ${humanDuration(Number(after) * 1000)} at once`;
}

/** True if the change cannot be reverted. For the audit log level, only a change away from `base` cannot be reverted. */
function leavesForGood({ path, before }: AttributeChange): boolean {
  return path !== 'settings.audit_log_level' || canonical(path, before) === 'base';
}

/** This effect is reported even if no compute is active, as a compute may start before the request. */
function suspensionWords(around: readonly LiveResource[]): string {
  const active = ofKind(around, 'compute').filter(({ observed }) => observed['current_state'] !== 'idle');
  const named = listOfFirst(active.map(({ id }) => id).sort(), 5);
  return `drops the connections of all active computes: ${active.length === 0 ? 'none is active now' : `now ${named}`}`;
}

/** A quota of 0 means no quota, so 0 counts as the highest value. */
function isLowered({ path, before, after }: AttributeChange): boolean {
  const heightOf = (value: Json): number => {
    const known = Number(canonical(path, value));
    return path !== HISTORY && known === 0 ? Infinity : known;
  };
  return heightOf(after) < heightOf(before);
}
