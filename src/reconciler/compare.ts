// Makes and compares two plans from one reading of the account: for these files and for those of another git branch.
import { messageOf } from '../base/error-code.ts';
import { referencesOf } from '../model/attributes.ts';
import { groupBy } from '../base/group-by.ts';
import { canonicalJson, compareText, type Json } from '../base/json.ts';
import type { ReadOptions, Reader } from '../client/types.ts';
import { kindOf, kinds } from '../kinds/index.ts';
import type { Address } from '../model/address.ts';
import type { Comparison } from '../model/outcome/guard.ts';
import type { DesiredState, ResourceId } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Change, Plan } from '../model/outcome/plan.ts';
import { accessChanged, withTaken, wordsChanged } from '../plan/guard/guards-in-force.ts';
import { BY_RULE } from '../plan/match/by-rule.ts';
import { boundedSinks } from './reading/read.ts';
import { planAccount } from './plan-flow.ts';
import type { ComparisonOutcome, ComparisonRequest, PlanOutcome, PlanRequest } from './types.ts';
import type { Parts } from './workspace.ts';

/** `base`: the files to compare with. If these cannot be planned, the outcome has a warning, and every change counts as new. */
export async function planAndCompare(
  parts: Parts,
  { base, ...request }: ComparisonRequest,
): Promise<ComparisonOutcome> {
  const tape = taped(parts, request.desired);
  const made = await planAccount(tape.parts, request);
  if (made.plan === null) return { ...made, comparison: null };
  const toCome = made.plan.changes.filter(({ action, resourceId }) => action === 'create' || resourceId === null);
  const absent = new Set(toCome.map(({ address }) => address));
  const changed = wordsChanged(base.desired, request.desired, {
    kinds,
    isThere: (address) => !absent.has(address),
  });
  const words = withTaken(changed, made.plan);
  tape.replay();
  const pending = await planBase(tape.parts, request, base);
  return {
    ...made,
    diagnostics: [...made.diagnostics, ...pending.warnings],
    plan: { ...made.plan, diagnostics: [...made.plan.diagnostics, ...pending.warnings] },
    record: made.record && { ...made.record, after: pending.warnings },
    comparison: comparisonOf(made.plan, request.desired, pending.plan, words),
  };
}

async function planBase(
  parts: Parts,
  request: PlanRequest,
  base: ComparisonRequest['base'],
): Promise<{ readonly plan: Plan | null; readonly warnings: readonly Diagnostic[] }> {
  try {
    const { plan, diagnostics }: PlanOutcome = await planAccount(parts, { ...request, ...base });
    const error = diagnostics.find(({ severity }) => severity === 'error');
    if (error === undefined) return { plan, warnings: [] };
    const { message, range } = error;
    return { plan: null, warnings: [{ ...baseWarning(message), ...(range === undefined ? {} : { range }) }] };
  } catch (error) {
    request.signal?.throwIfAborted();
    return { plan: null, warnings: [baseWarning(messageOf(error))] };
  }
}

function baseWarning(why: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'base_unusable',
    message: `the files to compare with cannot be used: ${why}`,
    hint: 'Without these files, trueup shows every change as new.',
  };
}

/** Splits the plan's addresses: an address is already pending if `base` has exactly the same changes for it, else new. Null `base`: all new. */
function comparisonOf(
  plan: Plan,
  desired: DesiredState,
  base: Plan | null,
  guardsChanged: Comparison['guardsChanged'],
): Comparison {
  const own = meaningsByAddress(plan);
  const other = base === null ? new Map<Address, string>() : meaningsByAddress(base);
  const addresses = [...own.keys()].sort(compareText);
  const brought = new Set(addresses.filter((address) => own.get(address) !== other.get(address)));
  return {
    fromThisChange: [...brought],
    alreadyPending: addresses.filter((address) => own.get(address) === other.get(address)),
    noLongerManaged: base === null ? [] : noLongerManaged(plan, desired, base),
    guardsChanged:
      base === null
        ? guardsChanged
        : [...guardsChanged, ...accessChanged(plan.changes.filter(({ address }) => brought.has(address)))],
  };
}

function meaningsByAddress({ changes }: Plan): ReadonlyMap<Address, string> {
  const acting = changes.filter(({ action }) => action !== 'none');
  const textOf = (own: readonly Change[]): string =>
    own
      .map((change) => canonicalJson(meaningOf(change)))
      .sort(compareText)
      .join('\n');
  return new Map([...groupBy(acting, ({ address }) => address)].map(([address, own]) => [address, textOf(own)]));
}

function meaningOf({ action, resourceId, attributes, after }: Change): Json {
  return {
    action,
    resourceId,
    attributes: attributes.map(({ path, after: wanted }): Json => ({ path, wanted })),
    // A change without attribute differences is identified by the spec that it creates.
    after: attributes.length === 0 ? after : null,
  };
}

/** Returns the addresses that only `base` manages: `desired` lacks them, and `plan` neither has their ids nor deletes their holders. */
function noLongerManaged(plan: Plan, desired: DesiredState, base: Plan): Address[] {
  const declared = new Set(desired.resources.map(({ address }) => address));
  const touched = new Set(plan.changes.map(({ resourceId }) => resourceId));
  const going = new Set(
    plan.changes.flatMap((change) => (change.action === 'delete' ? (change.resourceId ?? []) : [])),
  );
  const left = base.changes.filter(
    (change) =>
      change.origin !== 'prune' &&
      !BY_RULE.has(change.origin) &&
      change.resourceId !== null &&
      !touched.has(change.resourceId) &&
      !declared.has(change.address) &&
      !holdersOf(change).some((id) => going.has(id)),
  );
  return [...new Set(left.map(({ address }) => address))].sort(compareText);
}

/** Returns the ids of the holders, whose deletion also deletes the resource: its project, its parent, and some referents. */
function holdersOf({ kind, projectId, parentId, before }: Change): readonly ResourceId[] {
  const referents = Object.entries(referencesOf(kindOf(kind))).flatMap(([path, { onRemoval }]) => {
    const id = onRemoval === 'goes' ? before?.[path] : undefined;
    return typeof id === 'string' ? [id] : [];
  });
  return [...referents, ...[projectId, parentId].flatMap((id) => id ?? [])];
}

/** Records the answers of the service and of sinks; after `replay`, repeats them and asks only new questions. */
function taped(parts: Parts, desired: DesiredState): { readonly parts: Parts; readonly replay: () => void } {
  const { client, lookup } = parts;
  const kept = new Map<string, Promise<unknown>>();
  const sinks = boundedSinks(lookup, desired);
  let isReplay = false;
  // The type is safe: equal questions have answers of one type.
  const answer = async <T>(question: Json, ask: () => Promise<T>): Promise<T> => {
    const key = canonicalJson(question);
    const asked = (isReplay ? (kept.get(key) as Promise<T> | undefined) : undefined) ?? ask();
    kept.set(key, asked);
    return asked;
  };
  return {
    replay: () => (isReplay = true),
    parts: {
      ...parts,
      client: {
        ...client,
        get: async <T>(path: string, shape: Parameters<Reader['get']>[1], options: ReadOptions<T> = {}): Promise<T> =>
          answer([path, options.query ?? {}], async () => client.get<T>(path, shape, options)),
      },
      lookup: {
        look: async (target, shape, signal) =>
          answer([target, [...shape.members]], async () => sinks.look(target, shape, signal)),
      },
    },
  };
}
