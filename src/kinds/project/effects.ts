// The effects of project changes on data and clients.
import { listed } from '../../base/picked.ts';
import type { Json } from '../../base/json.ts';
import { listOf, listOfFirst } from '../../base/text/words.ts';
import { humanDuration } from '../../base/time/duration.ts';
import { asPart } from '../../model/address.ts';
import { attributeAt } from '../../model/attributes.ts';
import type { LiveResource } from '../../model/live.ts';
import type { AttributeChange } from '../../model/outcome/plan.ts';
import { coversPath } from '../../model/values.ts';
import type { Effect, EffectInput, KindRules } from '../../plan/kind-rules.ts';
import { accessChange, effectOf, NOTHING, ofKind, shelved, together } from '../shared/effects.ts';
import { attributes as rows, canonical, FOR_GOOD_ONCE_ON } from './attributes.ts';

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

/** Once the audit log has left the level `base`, it cannot return; other levels can follow each other. */
function leavesForGood({ path, before }: AttributeChange): boolean {
  return path !== 'settings.audit_log_level' || canonical(path, before) === 'base';
}

/** This effect is reported even if no compute is active now, because one may start before the request. */
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
