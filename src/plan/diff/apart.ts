// Splits an update if guards block only some of its attributes: those become a separate blocked change, and the others still run.
import { groupBy } from '../../base/group-by.ts';
import type { Plan } from '../../model/outcome/plan.ts';
import { guardEach, isHeldBack, type GuardInput } from '../guard/guard-plan.ts';
import type { HeldBack } from '../input.ts';
import type { Binding } from '../match/match-state.ts';
import type { Scope } from '../scope.ts';
import { draftsOf, type Findings } from './draft-change.ts';
import { amend, block, type Draft } from './draft.ts';

/** Drafts the changes of a declaration; the attributes in `held` get a separate, blocked draft. */
export function draftsApart(
  scope: Scope,
  binding: Binding,
  held: HeldBack | undefined,
  found: Findings,
): readonly Draft[] {
  if (held === undefined) return draftsOf(scope, binding, found);
  const others = draftsOf(scope, without(binding, held.paths), found);
  const rest = updateOf(scope, without(binding, others.flatMap(pathsOf)));
  if (rest === undefined || pathsOf(rest).length === 0) return others;
  const apart = { ...rest, key: `held:${held.address}` };
  amend(apart, { held: [] });
  block(apart, ...held.blockedBy);
  return [apart, ...others];
}

/** Returns the binding as if the declaration also listed these paths under `lifecycle.ignore`. */
function without(binding: Binding, paths: readonly string[]): Binding {
  const { desired } = binding;
  const { lifecycle } = desired;
  return { ...binding, desired: { ...desired, lifecycle: { ...lifecycle, ignore: [...lifecycle.ignore, ...paths] } } };
}

function updateOf(scope: Scope, binding: Binding): Draft | undefined {
  const nowhere: Findings = { diagnostics: [], unread: [], unmanaged: [], over: new Set() };
  return draftsOf(scope, binding, nowhere).find(({ change }) => change.action === 'update');
}

function pathsOf({ change }: Draft): readonly string[] {
  return change.attributes.map(({ path }) => path);
}

/** Returns the attributes that each blocked update must leave out so that its others can run. Guards must have judged `drafts` already. */
export function heldBackIn(drafts: readonly Draft[], guarding: GuardInput): readonly HeldBack[] {
  const whole = drafts.filter(
    ({ change }) => change.action === 'update' && isHeldBack(change) && change.attributes.length > 1,
  );
  if (whole.length === 0) return [];
  const bindings = guarding.matchings.flatMap((one) => one.bindings);
  const others = drafts.filter((draft) => !whole.includes(draft));
  const held = new Map(whole.map((draft) => [draft, { paths: pathsOf(draft), blockedBy: draft.change.blockedBy }]));
  for (let open = whole; open.length > 0;) {
    // Each attribute is judged together with those that can run, because one attribute may need another.
    const tries = open.flatMap((draft) => {
      const binding = bindings.find(({ desired }) => desired === draft.desired);
      const paths = held.get(draft)?.paths ?? [];
      return paths.flatMap((path) => {
        const tried =
          binding &&
          updateOf(
            draft.scope,
            without(
              binding,
              paths.filter((one) => one !== path),
            ),
          );
        return tried === undefined ? [] : [{ draft, path, tried }];
      });
    });
    guardEach([...others.map((draft) => ({ ...draft })), ...tries.map(({ tried }) => tried)], guarding);
    const stuck = groupBy(
      tries.filter(({ tried }) => isHeldBack(tried.change)),
      ({ draft }) => draft,
    );
    open = open.filter((draft) => {
      const own = stuck.get(draft) ?? [];
      const before = held.get(draft)?.paths.length;
      const blockedBy = own.flatMap(({ tried }) => tried.change.blockedBy);
      held.set(draft, { paths: own.map(({ path }) => path), blockedBy });
      // If one attribute is left, nothing more can be tried: with the others, that attribute makes the whole update, which is blocked.
      return own.length > 1 && own.length !== before;
    });
  }
  return [...held].flatMap(([draft, { paths, blockedBy }]) =>
    paths.length === 0 || paths.length === pathsOf(draft).length
      ? []
      : [{ address: draft.change.address, paths, blockedBy }],
  );
}

/** Returns the attributes that updates of this plan leave out, so that a plan made again leaves out the same ones. */
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
