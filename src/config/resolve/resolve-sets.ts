// Resolves a project's preview sets and retention rules. In their templates, `KEY` stands for a member's key or a resource's id.
import { compareText, type JsonObject } from '../../base/json.ts';
import { humanDuration } from '../../base/time/duration.ts';
import { plural } from '../../base/text/words.ts';
import { referencesOf } from '../../model/attributes.ts';
import { setAddress, SETS, RETENTION, retentionAddress } from '../../model/address.ts';
import {
  KEY,
  errorAt,
  sinksOf,
  type DesiredProject,
  type DesiredResource,
  type MemberSet,
  type RetentionRule,
} from '../../model/desired.ts';
import { PROJECT } from '../../model/kind.ts';
import { entriesOf, secretKey } from '../check/cross-checks.ts';
import { type KindSection, writtenFormOf } from '../kind-section.ts';
import {
  changedMap,
  durationIn,
  itemsOf,
  mapWith,
  numberIn,
  valueOf,
  membersOf,
  placeAt,
  textIn,
  toJson,
  type MapNode,
  type TreeEntry,
  type TreeNode,
  textsIn,
} from '../yaml/source-tree.ts';
import { resolveEntries, resolveEntry, type EntriesContext } from './resolve-entry.ts';

/** Keys that configure the set itself, and that its members do not get. */
const OF_SET = ['each', 'closed', 'max', 'gone', 'grace', 'reset_on'];

/** Returns the sets and the retention rules of a project, each sorted by name. */
export function resolveRules(node: TreeNode, context: EntriesContext): Pick<DesiredProject, 'sets' | 'retention'> {
  const sets = rulesIn(SETS, node, context, resolveSet);
  const retention = rulesIn(RETENTION, node, context, resolveRule);
  return { ...(sets.length === 0 ? {} : { sets }), ...(retention.length === 0 ? {} : { retention }) };
}

/** Resolves a section's rules. They are for the one labelled kind directly below a project, and ignore the project's `use`. */
function rulesIn<T>(
  section: string,
  node: TreeNode,
  context: EntriesContext,
  resolve: (name: string, entry: TreeEntry, context: SetContext) => T,
): readonly T[] {
  const rules = entriesOf(node, section, context.report).sort(([a], [b]) => compareText(a, b));
  const kind = context.kinds.find((one) => one.parent === PROJECT && writtenFormOf(one).hasLabels);
  return kind === undefined
    ? []
    : rules.map(([name, entry]) => resolve(name, entry, { ...context, projectUse: undefined, kind }));
}

interface SetContext extends EntriesContext {
  readonly kind: KindSection;
}

function resolveSet(name: string, entry: TreeEntry, context: SetContext): MemberSet {
  const { value: node } = entry;
  const goneMode = textIn(valueOf(node, 'gone'));
  const gone = goneMode === 'delete' || goneMode === 'keep' ? goneMode : 'expire';
  const keys = keysIn(node, 'each');
  const template = templateOf(name, { ...entry, value: withToken(node) }, context);
  const own = ownResets(name, entry, { ...context, keys, template });
  const set: MemberSet = {
    name,
    keys,
    closed: keysIn(node, 'closed'),
    template,
    ...(own.length === 0 ? {} : { own: Object.fromEntries(own) }),
    gone,
    graceMs: durationIn(valueOf(node, 'grace')) ?? GRACE_MS,
  };
  check(set, entry, context);
  return set;
}

/** The default of `grace`. Members younger than this are not deleted, because the list of keys may not contain their keys yet. */
const GRACE_MS = 600_000;

function keysIn(node: TreeNode, name: string): readonly string[] {
  const keys = itemsOf(valueOf(node, name)).map((item) => String(toJson(item)));
  return [...new Set(keys)].sort(compareText);
}

/** Returns the tree with the internal token `KEY` in place of `{key}`. */
function withToken(node: TreeNode): TreeNode {
  if (node.kind === 'map') return changedMap(node, withToken);
  if (node.kind === 'list') return { ...node, items: node.items.map(withToken) };
  return typeof node.value === 'string' ? { ...node, value: node.value.replaceAll('{key}', KEY) } : node;
}

/** Returns, by key, the attributes that `reset_on` adds to a member. A time in `reset_on` means the same as `reset.not_before`. */
function ownResets(
  set: string,
  { key, value: node }: TreeEntry,
  { keys, template: [{ spec: common }], ...context }: SetContext & Pick<MemberSet, 'keys' | 'template'>,
): readonly (readonly [key: string, spec: JsonObject])[] {
  const times = membersOf(valueOf(node, 'reset_on'));
  return keys.flatMap((one) => {
    const time = times.get(one);
    if (time === undefined) return [];
    const since = mapWith(time.value, new Map([['not_before', time]]));
    const entries = new Map(membersOf(withToken(node))).set('reset', { key: time.key, value: since });
    const { spec } = resolveMember(set, { key, value: mapWith(node, entries) }, context);
    return [[one, Object.fromEntries(Object.entries(spec).filter(([path]) => common[path] === undefined))] as const];
  });
}

function templateOf(set: string, { key, value }: TreeEntry, context: SetContext): MemberSet['template'] {
  const { kind, kinds } = context;
  const own = value.kind === 'map' ? value : mapWith(value, new Map());
  const beside = kinds.filter((one) => isBeside(one, kind));
  const member = resolveMember(set, { key, value: own }, context);
  const below = resolveEntries(own, kind.kind, { ...context, parent: member.address });
  const users = beside.flatMap((one) => usersOf(member, own, { ...context, kind: one, member: kind }));
  return [{ ...member, set, isNew: true }, ...below, ...users];
}

function resolveMember(set: string, { key, value }: TreeEntry, context: SetContext): DesiredResource {
  const { kind, kinds } = context;
  const others = [...OF_SET, ...kinds.flatMap((one) => (isBeside(one, kind) ? [one.section] : []))];
  const own = mapWith(value, new Map([...membersOf(value)].filter(([name]) => !others.includes(name))));
  return resolveEntry(KEY, { key, value: own }, { ...context, kind: { ...kind, segment: `${SETS}/${set}` } });
}

/** True if resources of the kind `one` are directly below the project, refer to a member of the set, and are deleted with the member. */
function isBeside(one: KindSection, kind: KindSection): boolean {
  return one.parent === PROJECT && pathTo(kind, one) !== undefined;
}

/** Returns the attribute by which `user` refers to the kind, if a resource of `user` is deleted with its referent; else undefined. */
function pathTo({ kind }: KindSection, user: KindSection): string | undefined {
  const rules = Object.entries(referencesOf(user));
  return rules.find(([, rule]) => rule.kind === kind && rule.onRemoval === 'goes')?.[0];
}

/** Returns the resources of one kind that the set declares for each member: they refer to the member, but their parent is the project. */
function usersOf(
  { address }: DesiredResource,
  own: MapNode,
  { kind, member, ...context }: SetContext & { readonly member: KindSection },
): readonly DesiredResource[] {
  const path = pathTo(member, kind) ?? '';
  const segment = `${address.slice(address.indexOf('/') + 1)}/${kind.section}`;
  return entriesOf(own, kind.section, context.report).map(([name, { key, value }]) => {
    const referring = new Map(membersOf(value)).set(path, { key, value: { ...key, kind: 'scalar', value: KEY } });
    const entry = { key, value: mapWith(value, referring) };
    const user = resolveEntry(name, entry, { ...context, kind: { ...kind, segment } });
    return { ...user, isNew: true, spec: { ...user.spec, [path]: { ref: address, field: 'id' } } };
  });
}

/** The longest name that the service accepts. */
const LONGEST_NAME = 256;

function check({ name, keys, closed, template, gone }: MemberSet, entry: TreeEntry, context: SetContext): void {
  const { report, scope } = context;
  const { value: node } = entry;
  const address = setAddress(scope, name);
  const max = numberIn(valueOf(node, 'max')) ?? Infinity;
  if (keys.length > max) {
    const message = `${address} lists ${plural(keys.length, 'key')}, but max is ${max}`;
    report.add('too_many_keys', message, placeAt(node, ['each']), { address, hint: 'Check the list, or raise max.' });
  }
  if (closed.length > 0 && gone !== 'delete') {
    const message = '`closed` names previews to delete, which needs `gone: delete`';
    const hint = 'Write `gone: delete`, or remove `closed`.';
    report.add('contradiction', message, placeAt(node, ['closed']), { address, hint });
  }
  const form = String(template[0].spec['name']);
  const longest = keys.find((key) => form.replaceAll(KEY, key).length > LONGEST_NAME);
  if (longest !== undefined) {
    const message = `with the key ${longest}, the name has more than ${LONGEST_NAME} characters`;
    report.add('bad_name', message, placeAt(node, ['name']), { address });
  }
  for (const one of template) {
    if (sinksOf(one).every((sink) => Object.values(sink).some((target) => String(target).includes(KEY)))) continue;
    const message = `all members of ${address} would be stored in the same sink`;
    const hint = 'Write {key} in the name of the sink.';
    report.addDiagnostic(errorAt(one, secretKey(one), 'shared_sink', message, hint));
  }
}

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];

function resolveRule(name: string, entry: TreeEntry, context: SetContext): RetentionRule {
  const { key, value: node } = entry;
  const { kind, scope, report } = context;
  const timeIn = (path: string, least: number): number | null => {
    const ms = durationIn(valueOf(node, path));
    if (ms !== null && ms < least) {
      const address = retentionAddress(scope, name);
      report.add('bad_duration', `${path} is at least ${humanDuration(least)}`, placeAt(node, [path]), { address });
    }
    return ms;
  };
  const olderThanMs = timeIn('older_than', DAY_MS) ?? Infinity;
  const keep = valueOf(node, 'keep');
  const empty = { key, value: mapWith(node, new Map()) };
  const own = { ...kind, segment: `${RETENTION}/${name}` };
  return {
    name,
    template: { ...resolveEntry(KEY, empty, { ...context, kind: own }), absent: true },
    match: [...new Set(textsIn(valueOf(node, 'match')))].sort(compareText),
    olderThanMs,
    idleForMs: timeIn('idle_for', HOUR_MS) ?? olderThanMs,
    keep: [...new Set(textsIn(keep))].sort(compareText),
    isKeepGiven: keep?.kind === 'list' && [keep, ...keep.items].some(hasVariable),
    max: numberIn(valueOf(node, 'max')) ?? 0,
  };
}

function hasVariable({ text, start, end }: TreeNode): boolean {
  return text.text.slice(start, end).includes('${var:');
}
