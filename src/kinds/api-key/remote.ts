// Keys for the executor: the list, and what replies mean (api-rules 2).
import { checkReply, type ApiKeyCreated, type ApiKeyRevoked } from '../../api/index.ts';
import type { Json } from '../../base/json.ts';
import { Secret } from '../../base/secret.ts';
import type { KindRemote, WriteOutcome } from '../../apply/kind-remote.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { factsToJson } from './facts/facts.ts';
import { gatherFacts } from './facts/gather-facts.ts';
import type { KindRules } from '../../plan/kind-rules.ts';
import { timeOf, RECORD } from './live-key.ts';
import { describeKey, rules } from './rules/rules.ts';
import { ACCOUNT, type KeyVariant } from './variant.ts';

export const remote: KindRemote = keyRemote(ACCOUNT, rules);

export function keyRemote(variant: KeyVariant, own: KindRules): KindRemote {
  const { list } = variant;
  return {
    ...variant.place,
    attributes: variant.attributes,
    isOnlyDeclared: variant.isOnlyDeclared ?? false,
    list,
    outcome: (step, reply) => (step.method === 'POST' ? createdOutcome(step, reply) : revokedOutcome(step, reply)),
    recognise: () => 'nothing',
    record: RECORD,
    describe: describeKey,
    facts: async (input) => {
      const { reader, signal } = input;
      const homes = [...new Set(input.live.map(({ parentId }) => parentId))];
      const listIn = async (parentId: string | undefined): Promise<readonly LiveResource[]> =>
        list(reader, { projectId: null, parentId }, signal);
      const lists = {
        list: async () => (await Promise.all(homes.map(listIn))).flat(),
        beside: async () => variant.beside(reader, signal),
      };
      return factsToJson(await gatherFacts(input, own, lists));
    },
  };
}

function createdOutcome(step: Step, reply: Json): WriteOutcome | null {
  const checked = checkReply<ApiKeyCreated>('ApiKeyCreated', reply);
  if (!checked.ok) return null;
  const { id, key, name, created_at: createdAt } = checked.value;
  const wanted = step.body?.['key_name'];
  if (typeof wanted !== 'string' || (name !== undefined && name !== wanted)) return null;
  return {
    id: String(id),
    operations: [],
    secret: new Secret(key),
    madeAtMs: timeOf(createdAt),
    record: { name: wanted, id: String(id), created_at: createdAt ?? null },
  };
}

function revokedOutcome(step: Step, reply: Json): WriteOutcome | null {
  const checked = checkReply<ApiKeyRevoked>('ApiKeyRevoked', reply);
  if (!checked.ok || checked.value.revoked === false) return null;
  const id = String(checked.value.id);
  if (step.path.split('/').at(-1) !== id) return null;
  return { id, operations: [], secret: null, record: {} };
}
