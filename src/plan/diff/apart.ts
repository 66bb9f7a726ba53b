// Splits an update of which something blocks only some attributes: these become a blocked change of their own, and the others go on.
import { groupBy } from '../../base/group-by.ts';
import type { Plan } from '../../model/outcome/plan.ts';
import { guardEach, isHeldBack, type GuardInput } from '../guard/guard-plan.ts';
import type { HeldBack } from '../input.ts';
import type { Binding } from '../match/match-state.ts';
import type { Scope } from '../scope.ts';
import { draftsOf, type Findings } from './draft-change.ts';
import { block, type Draft } from './draft.ts';

/** The drafts of a declaration, with a blocked draft of its own for the attributes in `held`. */
export function draftsApart(
  scope: Scope,
  binding: Binding,
  held: HeldBack | undefined,
  found: Findings,
): readonly Draft[] {
  if (held === undefined) return draftsOf(scope, binding, found);
  const others = draftsOf(scope, without(binding, held.paths), found);
  const free = pathsOf(updateOf(scope, binding)).filter((path) => !held.paths.includes(path));
  const rest = updateOf(scope, without(binding, free));
  if (rest === undefined || pathsOf(rest).length === 0) return others;
  const apart = { ...rest, key: `held:${held.address}` };
  block(apart, ...held.blockedBy);
  return [apart, ...others];
}

/** The binding as if the declaration left these attributes to others. */
function without(binding: Binding, paths: readonly string[]): Binding {
  const { desired } = binding;
  const { lifecycle } = desired;
  return { ...binding, desired: { ...desired, lifecycle: { ...lifecycle, ignore: [...lifecycle.ignore, ...paths] } } };
}

function updateOf(scope: Scope, binding: Binding): Draft | undefined {
  const nowhere: Findings = { diagnostics: [], unread: [], unmanaged: [], over: new Set() };
  return draftsOf(scope, binding, nowhere).find(({ change }) => change.action === 'update');
}

function pathsOf(draft: Draft | undefined): readonly string[] {
  return (draft?.change.attributes ?? []).map(({ path }) => path);
}

interface Trial extends HeldBack {
  readonly scope: Scope;
  readonly binding: Binding;
}

/** The attributes that blocked updates must leave out so that the others can go on. `drafts` are guarded already. */
export function heldBackIn(drafts: readonly Draft[], guarding: GuardInput): readonly HeldBack[] {
  const whole = new Set(drafts.filter(({ change }) => change.action === 'update' && isHeldBack(change)));
  if (whole.size === 0) return [];
  const bindings = guarding.matchings.flatMap((one) => one.bindings.map((own) => [own.desired, own] as const));
  const bindingOf = new Map<Draft['desired'], Binding>(bindings);
  const others = drafts.filter((draft) => !whole.has(draft));
  /** The updates without these attributes, as the guards judge them; undefined if nothing else differs. */
  const judged = (trials: readonly Trial[]): readonly (Draft | undefined)[] => {
    const tried = trials.map(({ scope, binding, paths }) => updateOf(scope, without(binding, paths)));
    guardEach([...others.map((draft) => ({ ...draft })), ...tried.flatMap((draft) => draft ?? [])], guarding);
    return tried;
  };
  let trials = [...whole].flatMap((draft): Trial[] => {
    const { scope, desired, change } = draft;
    const binding = bindingOf.get(desired);
    return binding === undefined ? [] : [{ ...change, scope, binding, paths: pathsOf(draft) }];
  });
  for (let size = -1; size !== pathsIn(trials);) {
    size = pathsIn(trials);
    // Each attribute is tried with those that can go on, because it may need one of them.
    const tries = trials.flatMap((trial) =>
      trial.paths.map((path) => ({ ...trial, trial, path, paths: trial.paths.filter((one) => one !== path) })),
    );
    const found = judged(tries);
    const stuck = groupBy(
      tries.flatMap(({ trial, path }, at) => {
        const { blockedBy = [] } = found[at]?.change ?? {};
        return isHeldBack({ blockedBy }) ? [{ trial, path, blockedBy }] : [];
      }),
      ({ trial }) => trial,
    );
    trials = trials.map((trial) => {
      const own = stuck.get(trial) ?? [];
      return { ...trial, paths: own.map(({ path }) => path), blockedBy: own.flatMap(({ blockedBy }) => blockedBy) };
    });
  }
  const rest = judged(trials);
  return trials.flatMap(({ address, paths, blockedBy }, at) => {
    const { change } = rest[at] ?? {};
    return change === undefined || isHeldBack(change) ? [] : [{ address, paths, blockedBy }];
  });
}

function pathsIn(trials: readonly Trial[]): number {
  return trials.flatMap(({ paths }) => paths).length;
}

/** The attributes that a plan leaves out; a plan that is made again leaves out the same ones. */
export function leftOutOf({ changes }: Pick<Plan, 'changes'>): readonly HeldBack[] {
  const updates = groupBy(
    changes.filter(({ action }) => action === 'update'),
    ({ address }) => address,
  );
  const apart = [...updates.values()].filter((own) => own.length > 1).flat();
  return apart
    .filter(isHeldBack)
    .map(({ address, attributes, blockedBy }) => ({ address, paths: attributes.map(({ path }) => path), blockedBy }));
}
