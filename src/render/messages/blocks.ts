// Guards in words: why a change is blocked, and how to lift the block.
import { unreachable } from '../../base/assert.ts';
import { listOfFirst } from '../../base/text/words.ts';
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
  /** True where the notes of the change say why, with names. */
  readonly isNoted?: boolean;
}

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

/** Blocks that read the same for every change. */
const FIXED: Readonly<Record<Fixed, BlockWords>> = {
  protect: {
    why: 'the resource, or a resource that is deleted with it, is protected from deletion, replacement and expiry',
    lift: 'remove lifecycle.protect, safety.protect or --exclude',
  },
  move_or_create: {
    why: 'an unlisted resource would be deleted while this one is created; both may be the same resource, moved',
    lift: 'write moved_from: or id: if the resource moved, or new: true if not',
  },
  rename_or_create: {
    why: 'this resource is created while another is dropped or loses the default; both may be the same resource, renamed',
    lift: 'write renamed_from: (or id:, if the kind has that key) if the resource was renamed, or new: true if not',
  },
  immutable: {
    why: 'the live resource was created with another value, which cannot be changed',
    lift: 'write the live value; to change it, delete and re-create the resource in two applies',
  },
  refused: {
    why: 'the service refuses this change in the present state',
    lift: 'the service refuses this change until you do what the note says',
  },
  not_idle: {
    why: 'the resource, or a resource that is deleted with it, was used more recently than safety.drop.unless_idle allows',
    lift: 'stop the use, wait for that time, then apply with --expect-hash or a new saved plan',
  },
  clock_unknown: {
    why: 'this change depends on the time at the service, which is not known',
    lift: 'correct the clock that is wrong, on this machine or at the service, then apply with --expect-hash or a new saved plan',
  },
  secret_missing: {
    why: 'the file names no sink for the created secret, which is shown only once',
    lift: 'write secret: { file: NAME.json } or another sink',
  },
  sink_unusable: {
    why: 'a sink of the secret cannot be used',
    lift: 'fix that sink, or name another sink',
  },
  not_due: { why: 'the clock drives this change, and --due was not given', lift: 'run trueup apply --due' },
  unread: {
    why: 'the operation log of the project could not be read, so running and failed operations are not known',
    lift: 'run trueup plan again when the log can be read',
  },
};

const IMPACT: BlockWords = {
  why: '--auto-approve=no-impact never runs this change; --allow cannot override it',
  lift: 'approve the plan at the prompt, apply a saved plan, use --expect-hash, or use --auto-approve with --allow',
};

/** The parts of a plan that a block's sentence needs. */
export interface BlockContext {
  readonly windows: readonly CoveringWindows[];
  readonly guards: readonly Guard[];
  /** Only what has no impact may run. */
  readonly isNoImpact: boolean;
  /** The planned part of the files. */
  readonly options: Pick<PlanOptions, 'target' | 'exclude'>;
}

const NO_CONTEXT: BlockContext = {
  windows: [],
  guards: [],
  isNoImpact: false,
  options: { target: [], exclude: [] },
};

/** Both in one line, below the notes of the change. */
export function blockLine({ why, lift, isNoted = false }: BlockWords): string {
  return isNoted ? lift : `${why} → ${lift}`;
}

/** Why this guard holds these changes, which read alike, and what to do to let them through. */
export function blockWords(
  block: Block,
  changes: readonly [Change, ...Change[]],
  { windows, guards, isNoImpact, options }: BlockContext = NO_CONTEXT,
): BlockWords {
  const [change] = changes;
  switch (block) {
    case 'protect':
    case 'refused':
    case 'sink_unusable':
      return { ...FIXED[block], isNoted: change.notes.length > 0 };
    case 'consent':
      if (isNoImpact) return IMPACT;
      return {
        why: `this ${change.action} requires consent${consentWords(change)}`,
        lift: `approve the plan at the prompt, apply a saved plan, use --expect-hash, or pass ${allowances(changes)}`,
      };
    case 'allowance':
      return lossWords(changes);
    case 'sink_unfillable':
      return {
        why: 'the service does not keep this secret: only a new secret fills the sink, which ends the present secret',
        lift:
          change.action === 'update'
            ? 'declare the owner of the secret, and allow its reset'
            : `pass ${changes.length > 1 ? 'for each ' : ''}--allow restart:${nameText(change.address)}`,
      };
    case 'name_differs':
      return {
        why: `the id belongs to ${removedWords(change)}, and the file gives another name`,
        lift: `write the id of the resource that you mean, write this name, or pass ${change.consents === undefined ? byIds(changes) : allowances(changes)}`,
      };
    case 'vanished':
      return {
        why: 'the resource was deleted outside trueup; a new resource would be empty',
        lift: `recover the resource, or correct the file; to create an empty resource, pass ${allowances(changes)}`,
      };
    case 'ambiguous':
      return ambiguousWords(change);
    case 'window':
      return {
        why: `the change is disruptive, and no safety window was open at planning time${windowText(change, windows)}`,
        lift: `apply within a window, with --expect-hash or a plan made then; in an emergency, remove the window from the file${windowPlaces(change, guards)} in a reviewed change`,
      };
    case 'stale_pin':
      return stalePinWords(change);
    case 'dependency':
      return { why: 'a change that this change depends on does not run', lift: waysToRun(options).join(', or ') };
    case 'self':
      return {
        why: 'the key is, or may be, the credential of this run',
        lift: `${change.origin === 'prune' ? 'list the key in the file, or ' : ''}run with another credential`,
      };
    case 'max_deletes':
    case 'max_drops':
    case 'max_restarts':
    case 'max_change_percent':
      return {
        why: `safety.${block} is exceeded, so nothing is written`,
        lift: countsTowards(block, change)
          ? `apply in smaller parts (--target), raise the limit, or exempt changes from the count: ${allowances(changes)}`
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

/** Ways to let the change run on which another one depends. */
function waysToRun({ target, exclude }: BlockContext['options']): readonly string[] {
  return [
    'lift the block on that change',
    ...(target.length > 0 ? ['select that change with --target, too'] : []),
    ...(exclude.length > 0 ? ['remove that change from --exclude'] : []),
  ];
}

/** Data deleted, access given and the like: only the address by name consents to it. */
function lossWords(changes: readonly [Change, ...Change[]]): BlockWords {
  const words = changes.flatMap(({ consents = [] }) => consents.map(({ word }) => word));
  return {
    why: `${words.includes(DROP) ? 'deleting data' : 'this change'} needs consent`,
    lift: allowances(changes),
  };
}

/** The effect that needs consent and that the action does not name. */
function consentWords(change: Change): string {
  return consentsTo(change).includes('disable') ? ': after this change, no client can connect' : '';
}

function countsTowards(limit: ExceededLimit['limit'], change: Change): boolean {
  const { consents = [] } = change;
  // A change that its declaration consents to is not counted.
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
  const why = 'several live resources fit this label equally well';
  const lift =
    'write the id of the resource that you mean (trueup pin writes the ids that this plan matched), or its name where that is unique';
  // Only what the kind chooses by age can be named so.
  if (change.action !== 'revoke') return { why, lift };
  const named = nameText(`${scopeOf(change.address)}/${change.resourceId ?? ''}`);
  return { why, lift: `${lift}, or pass, with the id of the key that you mean, ${allowancesOf(change, named)}` };
}

function stalePinWords({ resourceId }: Change): BlockWords {
  return {
    why: 'the resource is protected, and its pinned id no longer exists',
    lift:
      resourceId === null
        ? 'correct the id in the file; to create a new resource, remove the id and apply'
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
