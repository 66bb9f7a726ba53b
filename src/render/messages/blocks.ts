// Guards in words: why a change is held back, and how to lift it.
import { unreachable } from '../../base/assert.ts';
import { listOf, listOfFirst } from '../../base/text/words.ts';
import {
  consentsTo,
  type Block,
  type Change,
  type CoveringWindows,
  type ExceededLimit,
  type PlanOptions,
} from '../../model/outcome/plan.ts';
import type { Guard, LimitName } from '../../model/outcome/guard.ts';
import { DROP } from '../../model/outcome/consent.ts';
import { scopeOf } from '../../model/address.ts';
import { removedWords, restarts } from '../view/plan-rows.ts';
import { allowances, allowancesOf } from './consents.ts';
import { nameText, shown } from '../text/escape.ts';

export interface BlockWords {
  readonly why: string;
  readonly lift: string;
}

/** Stands where the notes of the change say why. */
export const SEE_NOTE = ': see the note';

type Fixed = Exclude<
  Block,
  | LimitName
  | 'consent'
  | 'allowance'
  | 'sink_unfillable'
  | 'name_differs'
  | 'vanished'
  | 'ambiguous'
  | 'window'
  | 'stale_pin'
  | 'self'
  | 'dependency'
>;

/** Those that read the same whatever they hold back. */
const FIXED: Readonly<Record<Fixed, BlockWords>> = {
  protect: {
    why: 'it, or what goes with it, is protected from deletion, replacement and expiry',
    lift: 'take that out of lifecycle.protect, safety.protect or --exclude, and plan again',
  },
  move_or_create: {
    why: 'an unlisted resource would be deleted while this one is created; it may be the same one, moved',
    lift: 'write moved_from: or id: if it moved, new: true if it did not',
  },
  rename_or_create: {
    why: 'one is made while another one beside it is dropped, or is no longer the default; it may be the same one, renamed',
    lift: 'write renamed_from: (or id:, where that is a key) if it was renamed, new: true if it was not',
  },
  immutable: {
    why: 'it was made with another value, which cannot be changed',
    lift: 'write the live value; who wants another one removes it and makes it anew, in two reviewed runs',
  },
  refused: {
    why: `the service refuses it as things stand${SEE_NOTE}`,
    lift: 'do first what the note says, and plan again',
  },
  not_idle: {
    why: 'something of it was in use more recently than safety.drop.unless_idle lets it go',
    lift: "take it out of use, and apply when it has been idle for so long, by the plan's hash or a plan made then",
  },
  clock_unknown: {
    why: 'it is driven by the clock, and what time it is at the service is not known',
    lift: "set the clock that is wrong, this machine's or the service's, and apply then, by the plan's hash or a plan made then",
  },
  secret_missing: {
    why: 'the file names no place for the created secret, which is shown only once',
    lift: 'declare secret: { file: NAME.json } or another sink for it',
  },
  sink_unusable: {
    why: `a place that the file names for its secret cannot be used${SEE_NOTE}`,
    lift: 'mend that place, or name another one, and plan again',
  },
  not_due: { why: 'it is driven by the clock and was not asked for', lift: 'run trueup apply --due' },
  unread: {
    why: 'the operation log of its project could not be read: what is under way or has failed there is not known',
    lift: 'plan again when it can be read',
  },
};

const IMPACT: BlockWords = {
  why: '--auto-approve=no-impact runs only what has no impact, and no --allow lifts that',
  lift: "approve it at the prompt, apply a saved plan or by the plan's hash, or run it with --auto-approve, which takes consents by --allow",
};

/** What of a plan says more about why something is held back. */
export interface BlockContext {
  readonly windows: readonly CoveringWindows[];
  readonly guards: readonly Guard[];
  /** Only what has no impact may run. */
  readonly isNoImpact: boolean;
  /** What of the files is planned. */
  readonly options: Pick<PlanOptions, 'target' | 'exclude'>;
}

const NO_CONTEXT: BlockContext = {
  windows: [],
  guards: [],
  isNoImpact: false,
  options: { target: [], exclude: [] },
};

/** Why this guard holds these changes, which read alike, and what to do to let them through. */
export function blockWords(
  block: Block,
  changes: readonly [Change, ...Change[]],
  { windows, guards, isNoImpact, options }: BlockContext = NO_CONTEXT,
): BlockWords {
  const [change] = changes;
  switch (block) {
    case 'consent':
      if (isNoImpact) return IMPACT;
      return {
        why: `nobody has consented to this ${change.action}${consentWords(change)}`,
        lift: `approve it at the prompt, apply a saved plan or by the plan's hash, or pass ${allowances(changes)}`,
      };
    case 'allowance':
      return lossWords(changes);
    case 'sink_unfillable':
      return {
        why: 'the service keeps no such secret: only a new one fills the place, and that ends the present one',
        lift:
          change.action === 'update'
            ? 'declare what the secret is of, and allow that to be reset'
            : `pass ${changes.length > 1 ? 'for each ' : ''}--allow restart:${nameText(change.address)}`,
      };
    case 'name_differs':
      return {
        why: `its id is that of ${removedWords(change)}, and the file calls it otherwise`,
        lift: `write the id that is meant, or this name; or pass ${change.consents === undefined ? byIds(changes) : allowances(changes)}`,
      };
    case 'vanished':
      return {
        why: 'it was there and is gone, and a new one in its place would not have what was in it',
        lift: `recover it, or correct the file; if a new one is meant, pass ${allowances(changes)}`,
      };
    case 'ambiguous':
      return ambiguousWords(change);
    case 'window':
      return {
        why: `it is disruptive, and no safety window was open when this was planned${windowText(change, windows)}`,
        lift: `apply within it, by the plan's hash or a plan made then; in an emergency, take the window out of the file${windowPlaces(change, guards)} in a reviewed change`,
      };
    case 'stale_pin':
      return stalePinWords(change);
    case 'dependency':
      return { why: 'something that it needs does not run', lift: waysToRun(options).join(', or ') };
    case 'self':
      return {
        why: 'it is, or may be, the credential that this run itself uses',
        lift: `${change.origin === 'prune' ? 'list it in the file, or ' : ''}run with another credential`,
      };
    case 'max_deletes':
    case 'max_drops':
    case 'max_restarts':
    case 'max_change_percent':
      return {
        why: `the limit safety.${block} is exceeded, so nothing is written`,
        lift: countsTowards(block, change)
          ? `apply in smaller parts (--target), raise the limit, or take some out of the count: ${allowances(changes)}`
          : 'apply in smaller parts (--target), or raise the limit',
      };
    default:
      return FIXED[block];
  }
}

/** The flags that name these live resources themselves. */
function byIds(changes: readonly Change[]): string {
  const flags = changes.map((one) => allowancesOf(one, nameText(`${scopeOf(one.address)}/${one.resourceId ?? ''}`)));
  return flags.join(' ');
}

/** What lets run what something else needs. */
function waysToRun({ target, exclude }: BlockContext['options']): readonly string[] {
  return [
    'lift the guard on that',
    ...(target.length > 0 ? ['--target it too'] : []),
    ...(exclude.length > 0 ? ['take it out of --exclude'] : []),
  ];
}

/** Of what is lost, or made: nothing but its name consents. */
function lossWords(changes: readonly [Change, ...Change[]]): BlockWords {
  const words = [...new Set(changes.flatMap(({ consents = [] }) => consents.map(({ word }) => word)))];
  const isMade = words.every((word) => word === changes[0].action);
  return {
    why: `nobody has named what it ${isMade ? 'makes' : 'loses'} (${listOf(words)}): no review, no *:* and no --auto-approve consents to that`,
    lift: `pass ${allowances(changes)}, to plan as well as to apply`,
  };
}

/** What of a change needs consent that its action does not say. */
function consentWords(change: Change): string {
  return consentsTo(change).includes('disable') ? ', after which nobody can connect' : '';
}

function countsTowards(limit: ExceededLimit['limit'], change: Change): boolean {
  const { consents = [] } = change;
  // What its declaration consents to is not counted.
  if (consents.length > 0 && consents.every(({ given }) => given === 'file')) return false;
  switch (limit) {
    case 'max_deletes':
      return ['delete', 'replace', 'revoke'].includes(change.action);
    case 'max_drops':
      return consents.some(({ word, given }) => word === DROP && given === 'pattern');
    case 'max_restarts':
      return change.consents === undefined && restarts(change);
    case 'max_change_percent':
      return change.action !== 'create';
    default:
      return unreachable(limit);
  }
}

/** ` (Sun 02:00-04:00 Europe/Berlin; the next at 2026-01-04T01:00:00Z)`: the windows that cover the change. */
function windowText(change: Change, blocks: readonly CoveringWindows[]): string {
  const project = scopeOf(change.address);
  const covering = blocks.filter((block) => block.project === null || block.project === project);
  const texts = covering.flatMap(({ windows }) => windows.map(({ text }) => shown(text, 100)));
  // Each block must have one open: nothing runs before the last of them does.
  const opensAt = covering
    .flatMap(({ opensAt: at }) => at ?? [])
    .toSorted()
    .at(-1);
  const words = [
    ...new Set(texts),
    ...(opensAt === undefined ? [] : [`the next at ${shown(opensAt.replace('.000Z', 'Z'), 40)}`]),
  ];
  return words.length === 0 ? '' : ` (${words.join('; ')})`;
}

/** ` (trueup.yaml:12)`: where the windows that cover the change are written. */
function windowPlaces(change: Change, guards: readonly Guard[]): string {
  const project = scopeOf(change.address);
  const covering = guards.filter((one) => one.guard === 'windows' && (one.project === null || one.project === project));
  const places = covering.flatMap(({ source }) =>
    source === null ? [] : [`${shown(source.file, 200)}:${source.start.line}`],
  );
  return places.length === 0 ? '' : ` (${[...new Set(places)].join(', ')})`;
}

function ambiguousWords(change: Change): BlockWords {
  const why = 'several resources could be meant just as well, and labels of interchangeable ones are no promises';
  const lift =
    'write the id of the one that is meant, or its name where no other has that (trueup pin writes the ids that this plan matched)';
  // Only what the kind chooses by age can be named so.
  if (change.action !== 'revoke') return { why, lift };
  const named = nameText(`${scopeOf(change.address)}/${change.resourceId ?? ''}`);
  return { why, lift: `${lift}, or pass ${allowancesOf(change, named)} with the id of the one that is meant` };
}

function stalePinWords({ resourceId }: Change): BlockWords {
  return {
    why: 'it is protected and its pinned id no longer exists',
    lift:
      resourceId === null
        ? 'correct the id in the file; if nothing is meant, take it out, and the next apply creates it'
        : 'run trueup pin --fix, or correct the id in the file',
  };
}

/** `safety.max_deletes is 1, but the plan has 2 (project shop): shop/a and shop/b`. */
export function limitSentence({ limit, project, allowed, planned, addresses }: ExceededLimit): string {
  const unit = limit === 'max_change_percent' ? '%' : '';
  const where = project === null ? '' : ` (project ${nameText(project)})`;
  const names = addresses.map((address) => nameText(address));
  return `safety.${limit} is ${allowed}${unit}, but the plan has ${planned}${unit}${where}: ${listOfFirst(names, COUNTED_SHOWN)}`;
}

const COUNTED_SHOWN = 5;
