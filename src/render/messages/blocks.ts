// Explains why a change is blocked, and how to lift the block.
import { listOfFirst } from '../../base/text/words.ts';
import { consentsTo, type Block, type Change, type ExceededLimit, type Plan } from '../../model/outcome/plan.ts';
import type { Guard, LimitName } from '../../model/outcome/guard.ts';
import { DROP, type NeededConsent } from '../../model/outcome/impact.ts';
import { RETENTION, scopeOf } from '../../model/address.ts';
import { removedWords, restarts } from '../view/plan-rows.ts';
import { nameText, shown } from '../text/escape.ts';

export interface BlockWords {
  readonly why: string;
  readonly lift: string;
  /** True if the notes of the change already explain the block and name the resources concerned. */
  readonly isNoted?: boolean;
}

type Changes = readonly [Change, ...Change[]];

interface BlockContext extends Pick<Plan, 'windows' | 'guards' | 'isNoImpact'> {
  readonly options: Pick<Plan['options'], 'target' | 'exclude'>;
}

const NO_CONTEXT: BlockContext = { windows: [], guards: [], options: { target: [], exclude: [] } };

/** The words for each block, as a constant or as a function of the changes that share the words. */
const BLOCKS: Readonly<Record<Block, BlockWords | ((changes: Changes, context: BlockContext) => BlockWords)>> = {
  protect: noted(
    'the resource, or a resource that is deleted with it, is protected from deletion, replacement and expiry',
    'remove lifecycle.protect, safety.protect or --exclude',
  ),
  refused: noted(
    'the service refuses this change in the present state',
    'the service refuses this change until you do what the note says',
  ),
  sink_unusable: noted('a sink of the secret cannot be used', 'fix that sink, or name another sink'),
  move_or_create: {
    why: 'an unlisted resource would be deleted while this one is created; both may be the same resource, moved',
    lift: 'write moved_from: or id: if the resource moved, or new: true if not',
  },
  rename_or_create: {
    why: 'this resource is created while another is dropped or loses the default; both may be the same resource, renamed',
    lift: 'write renamed_from: (or id:, if the kind has that key) if the resource was renamed, or new: true if not',
  },
  immutable: ([{ address }, ...others]) => ({
    why: 'the live resource was created with another value, which cannot be changed',
    lift: `write the live value; to change it, delete and re-create the resource in two applies, and while the deleted one can be recovered, pass ${
      others.length > 0 ? 'for each ' : ''
    }--allow recreate:${nameText(address)} to the second`,
  }),
  not_idle: {
    why: 'the resource, or a resource that is deleted with it, was used more recently than safety.drop.unless_idle allows',
    lift: 'stop the use, wait for that time, then apply with --expect-hash or a new saved plan',
  },
  foreign: {
    why: 'another resource has the name or the note of a preview, and not both',
    lift: 'rename or delete that resource, or choose another name for the set',
  },
  list_in_doubt: ([{ address, origin }]) =>
    origin === RETENTION
      ? {
          why: 'with the names of this variable, the rule would delete more than half of the resources that it matches',
          lift: `correct the variable, write the names in the file, or pass --allow drop:${nameText(address)} for each deletion (a pattern is not enough)`,
        }
      : {
          why: 'the list of keys would delete all previews of the set, or more than half of them',
          lift: `correct the list, write the keys under closed, or pass ${allowFlag(`drop:${wholeRule(address)}`)}`,
        },
  clock_unknown: {
    why: 'this change depends on the time at the service, which is not known',
    lift: 'correct the clock that is wrong, on this machine or at the service, then apply with --expect-hash or a new saved plan',
  },
  secret_missing: {
    why: 'the file names no sink for the created secret, which is shown only once',
    lift: 'write secret: { file: NAME.json } or another sink',
  },
  not_due: { why: 'the clock drives this change, and --due was not given', lift: 'run trueup apply --due' },
  unread: {
    why: 'a part of the account that this change depends on could not be read',
    lift: 'run trueup plan again when that part can be read',
  },
  consent: (changes, { isNoImpact }) =>
    isNoImpact === true
      ? {
          why: '--auto-approve=no-impact never runs this change; --allow cannot override it',
          lift: 'approve the plan at the prompt, apply a saved plan, use --expect-hash, or use --auto-approve with --allow',
        }
      : {
          why: `this ${changes[0].action} requires consent${
            consentsTo(changes[0]).includes('disable') ? ': after this change, no client can connect' : ''
          }`,
          lift: `approve the plan at the prompt, apply a saved plan, use --expect-hash, or pass ${allowances(changes)}`,
        },
  allowance: (changes) => {
    const isDrop = changes.some(({ consents = [] }) => consents.some(({ word }) => word === DROP));
    return { why: `${isDrop ? 'deleting data' : 'this change'} needs consent`, lift: allowances(changes) };
  },
  sink_unfillable: ([{ action, address }, ...others]) => ({
    why: 'the service does not keep this secret: only a new secret fills the sink, which ends the present secret',
    lift:
      action === 'update'
        ? 'declare the owner of the secret, and allow its reset'
        : `pass ${others.length > 0 ? 'for each ' : ''}--allow restart:${nameText(address)}`,
  }),
  name_differs: (changes) => ({
    why: `the id belongs to ${removedWords(changes[0])}, and the file gives another name`,
    lift: `write the id of the resource that you mean, write this name, or pass ${changes[0].consents === undefined ? byIds(changes) : allowances(changes)}`,
  }),
  vanished: (changes) => ({
    why: 'the resource was deleted outside trueup; a new resource would be empty',
    lift: `recover the resource, or correct the file; to create an empty resource, pass ${allowances(changes)}`,
  }),
  ambiguous: ([change]) => {
    const lift =
      'write the id of the resource that you mean (trueup pin writes the ids that this plan matched), or its name where that is unique';
    // `--allow` takes an id only for a key to revoke: trueup chose among similar keys by age, and the id confirms the choice.
    const named =
      change.action === 'revoke' ? `, or pass, with the id of the key that you mean, ${byIds([change])}` : '';
    return { why: 'several live resources fit this label equally well', lift: lift + named };
  },
  window: ([change], { windows, guards }) => ({
    why: `the change is disruptive, and no safety window was open at planning time${windowText(change, windows)}`,
    lift: `apply within a window, with --expect-hash or a plan made then; in an emergency, remove the window from the file${windowPlaces(change, guards)} in a reviewed change`,
  }),
  stale_pin: ([{ resourceId }]) => ({
    why: 'the resource is protected, and its pinned id no longer exists',
    lift:
      resourceId === null
        ? 'correct the id in the file; to create a new resource, remove the id and apply'
        : 'run trueup pin --fix, or correct the id in the file',
  }),
  dependency: (_, { options: { target, exclude } }) => ({
    why: 'a change that this change depends on does not run',
    lift: [
      'lift the block on that change',
      ...(target.length > 0 ? ['select that change with --target, too'] : []),
      ...(exclude.length > 0 ? ['remove that change from --exclude'] : []),
    ].join(', or '),
  }),
  self: ([{ origin }]) => ({
    why: 'the key is, or may be, the credential of this run',
    lift: `${origin === 'prune' ? 'list the key in the file, or ' : ''}run with another credential`,
  }),
  max_deletes: limited('max_deletes', ({ action }) => ['delete', 'replace', 'revoke'].includes(action)),
  max_drops: limited('max_drops', ({ consents = [] }) =>
    consents.some(({ word, given }) => word === DROP && given === 'pattern'),
  ),
  max_restarts: limited('max_restarts', (change) => change.consents === undefined && restarts(change)),
  max_change_percent: limited('max_change_percent', ({ action }) => action !== 'create'),
};

function noted(why: string, lift: string): (changes: Changes) => BlockWords {
  return ([{ notes }]) => ({ why, lift, isNoted: notes.length > 0 });
}

/** `counts` selects the kinds of change that the limit counts. A change whose declaration consents is never counted. */
function limited(limit: LimitName, counts: (change: Change) => boolean): (changes: Changes) => BlockWords {
  return (changes) => {
    const [change] = changes;
    const { consents = [] } = change;
    const isDeclared = consents.length > 0 && consents.every(({ given }) => given === 'file');
    return {
      why: `safety.${limit} is exceeded, so nothing is written`,
      lift:
        counts(change) && !isDeclared
          ? `apply in smaller parts (--target), raise the limit, or exempt changes from the count: ${allowances(changes)}`
          : 'apply in smaller parts (--target), or raise the limit',
    };
  };
}

/** Explains one reason that blocks these changes, in words that fit all of them. */
export function blockWords(block: Block, changes: Changes, context: BlockContext = NO_CONTEXT): BlockWords {
  const words = BLOCKS[block];
  return typeof words === 'function' ? words(changes, context) : words;
}

export function blockLine({ why, lift, isNoted = false }: BlockWords): string {
  return isNoted ? lift : `${why} → ${lift}`;
}

function byIds(changes: readonly Change[]): string {
  const flags = changes.map((one) => allowancesOf(one, nameText(`${scopeOf(one.address)}/${one.resourceId ?? ''}`)));
  return flags.join(' ');
}

/** The windows that cover the change: ` (Sun 02:00-04:00 Europe/Berlin; the next at 2026-01-04T01:00:00Z)`. */
function windowText(change: Change, blocks: Plan['windows']): string {
  const project = scopeOf(change.address);
  const covering = blocks.filter((block) => block.project === null || block.project === project);
  const texts = covering.flatMap(({ windows }) => windows.map(({ text }) => shown(text, 100)));
  // A change needs an open window in every block of windows, so the last block to open decides.
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

/** The positions of the windows that cover the change: ` (trueup.yaml:12)`. */
function windowPlaces(change: Change, guards: readonly Guard[]): string {
  const project = scopeOf(change.address);
  const covering = guards.filter((one) => one.guard === 'windows' && (one.project === null || one.project === project));
  const places = covering.flatMap(({ source }) =>
    source === null ? [] : [`${shown(source.file, 200)}:${source.start.line}`],
  );
  return places.length === 0 ? '' : ` (${[...new Set(places)].join(', ')})`;
}

/** Returns text like `safety.max_deletes is 1, but the plan has 2 (project shop): shop/a and shop/b`. */
export function limitSentence({ limit, project, allowed, planned, addresses }: ExceededLimit): string {
  const unit = limit === 'max_change_percent' ? '%' : '';
  const where = project === null ? '' : ` (project ${nameText(project)})`;
  const names = addresses.map((address) => nameText(address));
  return `safety.${limit} is ${allowed}${unit}, but the plan has ${planned}${unit}${where}: ${listOfFirst(names, COUNTED_SHOWN)}`;
}

const COUNTED_SHOWN = 5;

const MOST_ALLOWANCES = 3;

function allowances(changes: readonly [Change, ...Change[]]): string {
  const [first] = changes;
  const flags = [...new Set(changes.flatMap(flagsOf))];
  if (flags.length <= MOST_ALLOWANCES) return flags.join(' ');
  if ((first.consents ?? []).length === 0) return allowancesOf(first, 'PATTERN');
  const words = [...new Set((first.consents ?? []).map(({ word }) => word))];
  return `for each ${words.map((word) => `--allow ${word}:ADDRESS`).join(' ')}`;
}

function flagsOf(change: Change): readonly string[] {
  const { consents = [] } = change;
  if (consents.length === 0) return [allowancesOf(change, nameText(change.address))];
  // Users allow a retention rule as a whole, not each deletion.
  const meant = (address: string): string => (change.origin === RETENTION ? wholeRule(address) : nameText(address));
  return consents.map(({ word, address }) => allowFlag(`${word}:${meant(address)}`));
}

/** A pattern for all addresses of the same rule or preview set, such as `shop/previews/pr/**`. */
function wholeRule(address: string): string {
  return nameText(address.replace(/[^/]*$/, '**'));
}

function allowancesOf(change: Change, address: string): string {
  const needed = consentsTo(change);
  const words = needed.length > 0 ? needed : [restarts(change) ? 'restart' : '*'];
  return words.map((word) => allowFlag(`${word}:${address}`)).join(' ');
}

/** Quotes a consent with a star, because a shell would expand the star. */
function allowFlag(consent: string): string {
  return `--allow ${consent.includes('*') ? `'${consent}'` : consent}`;
}

const GIVERS: Readonly<Record<NonNullable<NeededConsent['given']> | 'nobody', string>> = {
  literal: 'allowed by its address',
  pattern: 'allowed by a pattern',
  file: 'allowed by its declaration',
  nobody: 'not allowed yet',
};

/** Each consent with its giver: `drop, allowed by its address`. */
export function consentWords({ consents = [] }: Pick<Change, 'consents'>): readonly string[] {
  return consents.map(({ word, given }) => `${word}, ${GIVERS[given ?? 'nobody']}`);
}
