// Converts plans and reports to and from JSON. `FORMS` lists the differences between the program's values and the JSON of the schemas.
import { jsonEqual, type Json, type JsonObject } from '../../base/json.ts';
import { defined } from '../../base/picked.ts';
import { isoTime } from '../../base/time/clock.ts';
import { shapes } from '../../model/generated/shapes.ts';
import type { DesiredResource } from '../../model/desired.ts';
import type { LiveState } from '../../model/live.ts';
import type { UnlistedResource } from '../../model/outcome/drift.ts';
import { TERRAFORM_ACTIONS } from '../../model/outcome/event.ts';
import { type Candidate, type Change, type UnmanagedResource, tallyOf } from '../../model/outcome/plan.ts';
import { holdsReference } from '../../model/values.ts';
import type { SourceRange } from '../../model/source.ts';

export type OrderedChange = Change & { readonly isMadeFirst?: boolean };

/** JSON has only the start of a range, because no output shows the end. */
const SOURCE: Form = {
  write: ({ start, ...place }: SourceRange) => ({ ...place, line: start.line, column: start.column }),
  read: ({ line, column, ...place }: { readonly line: number; readonly column: number }) => {
    const position = { line, column, offset: 0 };
    return { ...place, start: position, end: position };
  },
};

const DESCRIBED = { attributes: 'spec', description: 'described' };

const FORMS: Forms = {
  PlanTime: { write: isoTime, read: Date.parse },
  PlanSource: SOURCE,
  'PlanSource.over': SOURCE,
  PlanChange: { names: { type: 'kind' }, write: asTerraform, read: fromTerraform },
  PlanChangeDetails: {
    write: (change: Change) =>
      change.waitsFor === undefined
        ? change
        : { ...change, notes: [...change.notes, `depends on ${change.waitsFor}, whose change does not run`] },
  },
  PlanCandidate: {
    names: { last_active: 'last_active' },
    write: ({ facts, ...one }: Candidate) => ({ ...one, ...facts }),
    read: ({ id, address, ...facts }: Candidate & JsonObject) => ({ id, address, facts }),
  },
  PlanUnmanaged: { names: DESCRIBED },
  DriftUnmanaged: {
    names: { ...DESCRIBED, type: 'kind' },
    // Each entry of a report has the form of a change, so that a reader of the JSON needs only one form.
    write: ({ change, ...own }: UnlistedResource) => ({ ...asTerraform(change ?? untouched(own)), ...own }),
    read: ({ address, kind, id, projectId, spec, described, pruned, ...change }: UnmanagedResource & Terraform) => ({
      address,
      kind,
      id,
      projectId,
      spec,
      pruned,
      ...defined({ described }),
      ...(pruned ? { change: fromTerraform({ ...change, address, kind }) } : {}),
    }),
  },
  PlanUpkeep: { names: { type: 'kind', pending: 'isPending' } },
  PlanWarning: { names: { source: 'range' } },
  'PlanWarning.related': { names: { source: 'range' } },
  PlanDetails: { names: { warnings: 'diagnostics', compare: 'comparison' }, unset: { upkeep: [] } },
  PlanDesiredResource: {
    names: { new: 'isNew' },
    unset: { pin: null, absent: false, new: false, moved_from: null, lifecycle: {}, options: {} },
    write: ({ sources, ...resource }: DesiredResource) => ({ ...resource, sources: sources() }),
    read: ({ sources, ...resource }: DesiredResource) => ({ ...resource, sources: () => sources }),
  },
  PlanLifecycle: { unset: { protect: false, ignore: [], hold: [], via: null } },
  PlanLimits: { names: { operators: 'isOperators' } },
  PlanReading: {
    read: ({ histories, facts, ...live }: LiveState) => ({
      ...live,
      histories: new Map(Object.entries(histories)),
      facts: new Map(Object.entries(facts)),
    }),
  },
};

interface Terraform extends Pick<Change, 'address' | 'kind' | 'name'> {
  readonly change: Pick<Change, 'before' | 'after'> & { readonly replacePaths: readonly (readonly string[])[] };
  readonly trueup: Omit<Change, 'address' | 'kind' | 'name' | 'before' | 'after' | 'replacePaths'>;
}

function fromTerraform({ address, kind, name, change, trueup }: Terraform): Change {
  const { before, after, replacePaths } = change;
  return { ...trueup, address, kind, name, before, after, replacePaths: replacePaths.map((path) => path.join('.')) };
}

function asTerraform(change: OrderedChange): object {
  const { address, kind, name, before, after, replacePaths, action, origin } = change;
  const actionReason =
    action === 'replace'
      ? 'replace_because_cannot_update'
      : origin === 'prune'
        ? 'delete_because_no_resource_config'
        : undefined;
  return {
    address,
    kind,
    name,
    mode: 'managed',
    providerName: 'trueup',
    change: {
      actions: actionsOf(change),
      before,
      after,
      afterUnknown: unknownAfter(change),
      replacePaths: replacePaths.map((path) => path.split('.')),
    },
    ...defined({ actionReason }),
    trueup: change,
  };
}

function actionsOf(change: OrderedChange): readonly string[] {
  const { action, isMadeFirst = false } = change;
  if (action === 'none') return ['no-op'];
  if (action !== 'replace') return [TERRAFORM_ACTIONS[tallyOf(change)]];
  return isMadeFirst ? ['create', 'delete'] : ['delete', 'create'];
}

function unknownAfter({ after, resourceId }: Change): JsonObject {
  if (after === null) return {};
  const waiting = Object.entries(after).filter(([, value]) => holdsReference(value));
  return { ...(resourceId === null ? { id: true } : {}), ...Object.fromEntries(waiting.map(([path]) => [path, true])) };
}

function untouched({ address, kind, id, projectId, spec }: UnmanagedResource): Change {
  const lists = { attributes: [], impact: [], notes: [], blockedBy: [], held: [], replacePaths: [] };
  return {
    ...lists,
    address,
    kind,
    name: id,
    action: 'none',
    resourceId: id,
    projectId,
    matchedBy: 'no declaration claims the resource',
    before: spec,
    after: spec,
    impactDetails: {},
    reasons: ['no file lists the resource'],
    due: false,
    origin: 'unmanaged',
    source: null,
    lastOperation: null,
  };
}

export const planJson: Codec = codecOf(FORMS);

interface Form {
  /** The program's name of a member, by JSON name, if it is not the JSON name in camel case. */
  readonly names?: Readonly<Record<string, string>>;
  /** Default values, by JSON name: the JSON leaves out a member that has its default. */
  readonly unset?: JsonObject;
  readonly write?: (value: never) => unknown;
  readonly read?: (value: never) => unknown;
}

type Forms = Readonly<Record<string, Form>>;

interface Codec {
  readonly write: (value: object, shape: string) => JsonObject;
  /** Reads validated JSON, and drops members that the schema does not name. */
  readonly read: (json: unknown, shape: string) => unknown;
}

interface Member {
  readonly name: string;
  readonly own: string;
  readonly shape: string;
  readonly unset: Json | undefined;
}

type Members = Readonly<Record<string, unknown>>;

function codecOf(forms: Forms): Codec {
  const known = new Map<string, readonly Member[]>();
  const membersOf = (shape: string): readonly Member[] | undefined => {
    if (!Object.hasOwn(shapes, shape)) return undefined;
    const found = known.get(shape) ?? Object.entries(shapes[shape] ?? {}).map((one) => memberOf(one, forms[shape]));
    known.set(shape, found);
    return found;
  };
  /** Applies `one` to a value, to each item of a list, or to each value of a map (whose shape ends in `*`). */
  const converted = (value: unknown, shape: string, one: (value: unknown, shape: string) => unknown): unknown => {
    if (value === null || shape === '') return value;
    if (Array.isArray(value)) return value.map((item) => converted(item, shape, one));
    if (!shape.endsWith('*')) return one(value, shape);
    const entries: Iterable<[string, unknown]> = value instanceof Map ? value : Object.entries(value as object);
    return Object.fromEntries([...entries].map(([name, item]) => [name, converted(item, shape.slice(0, -1), one)]));
  };
  const written = (value: unknown, shape: string): unknown => {
    const { write } = forms[shape] ?? {};
    const whole = write === undefined ? value : write(value as never);
    const members = membersOf(shape);
    if (members === undefined) return whole;
    const json: Record<string, Json> = {};
    for (const { name, own, shape: inner, unset } of members) {
      const member = (whole as Members)[own];
      if (member === undefined) continue;
      const one = converted(member, inner, written) as Json;
      if (unset === undefined || !jsonEqual(one, unset)) json[name] = one;
    }
    return json;
  };
  const read = (json: unknown, shape: string): unknown => {
    const found: Record<string, unknown> = {};
    const members = membersOf(shape);
    for (const { name, own, shape: inner, unset } of members ?? []) {
      const member = Object.hasOwn(json as Members, name) ? (json as Members)[name] : unset;
      if (member !== undefined) found[own] = converted(member, inner, read);
    }
    const value = members === undefined ? json : found;
    return forms[shape]?.read?.(value as never) ?? value;
  };
  return {
    write: (value, shape) => converted(value, shape, written) as JsonObject,
    read: (json, shape) => converted(json, shape, read),
  };
}

function memberOf([name, shape]: readonly [string, string], { names = {}, unset = {} }: Form = {}): Member {
  // Times are milliseconds in the program, so the names of these members end in `Ms`.
  const camel = `${name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())}${shape === 'PlanTime' ? 'Ms' : ''}`;
  return { name, own: names[name] ?? camel, shape, unset: unset[name] };
}
