// Drafts an import: a label and an entry for every live resource that no file lists.
import { assert } from '../../../base/assert.ts';
import { groupBy } from '../../../base/group-by.ts';
import type { JsonObject } from '../../../base/json.ts';
import { writtenFormOf } from '../../../config/kind-section.ts';
import { copiedFrom } from '../../../model/attributes.ts';
import { kindOf, kinds, type Kind } from '../../../kinds/index.ts';
import type { Address } from '../../../model/address.ts';
import type { DesiredState, KindName } from '../../../model/desired.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { PROJECT, scopeKey } from '../../../model/kind.ts';
import type { LiveProject, LiveResource, LiveState } from '../../../model/live.ts';
import type { Survey } from '../../../reconciler/types.ts';
import {
  chooseLabels,
  givenLabels,
  labelsInDraft,
  labelsInFiles,
  labelsOf,
  pointedAt,
  withLabels,
  type BranchLabels,
  isWritableName,
  openLabels,
  draftEntries,
  type EntriesInput,
  type Parent,
} from './entries.ts';
import type { Names } from './names.ts';
import type { AttributeDetail, Draft, DraftEntry, DraftScope } from './scope.ts';

/** Parts of a project's own entry that an import may write: values for creation (`identity`) and settings (`attributes`). */
export type ProjectPart = 'identity' | 'attributes';

/** Drafts the unlisted resources of a survey. `desired` comes from the files, `names` from Terraform. */
export function draftImport(
  desired: DesiredState,
  survey: Pick<Survey, 'unlisted' | 'matched' | 'declared'> & { readonly live: LiveState },
  detail: AttributeDetail,
  names: Names = new Map(),
  parts: readonly ProjectPart[] = [],
): Draft {
  const unlisted = new Set(survey.unlisted.map(({ kind, id }) => `${kind} ${id}`));
  const undeclared = survey.live.projects.filter(({ id }) => !survey.declared.has(id));
  const projectLabels = chooseLabels(
    undeclared.map(({ id, name }) => ({ id, name, fallback: id })),
    openLabels(desired.projects.map(({ label }) => label)),
    names,
  );
  const warnings: Diagnostic[] = [];
  const drafting: Drafting = {
    desired,
    detail,
    names,
    parts,
    warnings,
    // Grouped once, because draftBelow looks up the scope of every resource that may have children.
    scopes: groupBy(survey.live.resources, (one) =>
      scopeKey(kindOf(one.kind).parent === null ? { ...one, parentId: undefined } : one),
    ),
    around: [],
    labels: new Map(),
    isUnlisted: ({ kind, id }) => unlisted.has(`${kind} ${id}`),
    declaredAs: ({ kind, id }) => survey.matched.get(`${kind} ${id}`) ?? null,
  };
  const scopes: DraftScope[] = [];
  const inProjects = groupBy(survey.live.resources, ({ projectId }) => projectId ?? '');
  for (const kind of kindsBelow(null)) {
    const top = { kind: null, address: null, within: [], below: { projectId: null }, scope: kind.section };
    const entries = draftBelow(drafting, top, kind);
    if (entries.length > 0) scopes.push({ label: kind.section, project: null, head: {}, entries });
  }
  for (const project of survey.live.projects) {
    const isDeclared = survey.declared.has(project.id);
    const label = projectLabels.get(project.id) ?? project.label;
    const around = inProjects.get(project.id) ?? [];
    const itself = itselfEntry(drafting, project, label);
    const { entries, head } = draftProject({ ...drafting, around }, project, label, isDeclared);
    if (itself.length + entries.length === 0) continue;
    const ownHead = headOf(project, label, desired, isDeclared);
    scopes.push({ label, project, head: { ...ownHead, ...head }, entries: [...itself, ...entries] });
  }
  return { scopes, warnings };
}

/** The entries of one project. A kind with labels comes before the kinds that refer to these labels. */
function draftProject(
  drafting: Drafting,
  { id: projectId }: LiveProject,
  label: string,
  isDeclared: boolean,
): { readonly entries: readonly DraftEntry[]; readonly head: JsonObject } {
  const { desired, names, around, declaredAs } = drafting;
  const top = { kind: PROJECT, address: label, within: [], below: { projectId }, scope: label };
  let labels = isDeclared ? labelsInFiles(labelsOf(desired, label), around, declaredAs) : drafting.labels;
  let given: BranchLabels = new Map();
  const entries = kindsBelow(PROJECT).flatMap((kind) => {
    const drafted = draftBelow({ ...drafting, labels }, top, kind);
    if (writtenFormOf(kind).hasLabels) {
      labels = new Map([...labels, ...labelsInDraft(drafted)]);
      if (!isDeclared && labels.size === 0) labels = given = givenLabels(around, names);
    }
    return drafted;
  });
  // In a declared project, entries name branches by id: their labels may be in a file that a later run does not read.
  if (isDeclared) return { entries, head: {} };
  return { entries: entries.map((entry) => withLabels(entry, labels)), head: pointedAt(given, entries) };
}

function itselfEntry(
  { scopes, isUnlisted, parts, around, labels }: Drafting,
  { id: projectId }: LiveProject,
  label: string,
): readonly DraftEntry[] {
  const kind = kindOf(PROJECT);
  const own = (scopes.get(scopeKey({ kind: PROJECT, projectId })) ?? []).filter(isUnlisted);
  return kind.written(own, { around, labels }).map((written) => ({
    kind,
    within: [],
    label,
    address: label,
    identity: parts.includes('identity') ? written.identity : {},
    attributes: parts.includes('attributes') ? written.attributes : {},
  }));
}

interface Drafting extends Omit<EntriesInput, 'live' | 'unlisted'> {
  readonly parts: readonly ProjectPart[];
  readonly scopes: ReadonlyMap<string, readonly LiveResource[]>;
  readonly isUnlisted: (live: LiveResource) => boolean;
  readonly declaredAs: (live: Pick<LiveResource, 'kind' | 'id'>) => Address | null;
}

function draftBelow(drafting: Drafting, parent: Parent, kind: Kind): readonly DraftEntry[] {
  const own = drafting.scopes.get(scopeKey({ ...parent.below, kind: kind.kind })) ?? [];
  const isWanted = (live: LiveResource): boolean =>
    drafting.isUnlisted(live) && !comesWithCopy(drafting, parent, kind, live);
  const entries = draftEntries(kind, parent, { ...drafting, live: own, unlisted: own.filter(isWanted) });
  const inner = kindsBelow(kind.kind);
  if (inner.length === 0) return [...entries.values()];
  const others = own.flatMap(({ id }) => (entries.has(id) ? [] : [id]));
  return [...entries.keys(), ...others].flatMap((id): readonly DraftEntry[] => {
    const entry = entries.get(id);
    const address = entry?.address ?? drafting.declaredAs({ kind: kind.kind, id });
    // A file cannot declare resources below an undeclared one.
    if (address === null) return [];
    const within = entry === undefined ? placeOf(drafting.desired, address) : [...entry.within, entry.label];
    const below = { projectId: parent.below.projectId, parentId: id };
    const place = { kind: kind.kind, scope: parent.scope, address, within, below };
    return [...(entry === undefined ? [] : [entry]), ...inner.flatMap((one) => draftBelow(drafting, place, one))];
  });
}

/** True if a minimal import omits the resource, because its branch copied it from the parent branch. */
function comesWithCopy(
  { detail, scopes }: Drafting,
  parent: Parent,
  { kind, place }: Kind,
  live: LiveResource,
): boolean {
  const { projectId, parentId } = parent.below;
  const above = parent.kind === null ? null : kindOf(parent.kind);
  if (detail === 'full' || parentId === undefined || above === null) return false;
  const siblings = scopes.get(scopeKey({ projectId, kind: above.kind })) ?? [];
  const own = siblings.find(({ id }) => id === parentId);
  const origin = own === undefined ? null : copiedFrom(above, own.spec, []);
  if (typeof origin !== 'string') return false;
  const there = scopes.get(scopeKey({ projectId, parentId: origin, kind })) ?? [];
  return there.some(({ spec }) => place(spec) === place(live.spec));
}

function kindsBelow(parent: KindName | null): readonly Kind[] {
  return kinds.filter((one) => one.parent === parent && one.kind !== PROJECT);
}

function placeOf({ resources }: Pick<DesiredState, 'resources'>, address: Address): readonly string[] {
  const own = resources.find((one) => one.address === address);
  assert(own !== undefined, `no resource is declared as ${address}`);
  const { section } = kindOf(own.kind);
  return [...(own.parent === undefined ? [] : placeOf({ resources }, own.parent)), section, own.name];
}

/** The id and name of a project. Omits a name that equals the label or that a file cannot hold, and what a file states. */
function headOf({ id, name }: LiveProject, label: string, desired: DesiredState, isDeclared: boolean): JsonObject {
  const declared = isDeclared ? desired.projects.find((project) => project.label === label) : undefined;
  if (declared !== undefined) return declared.id === null ? { id } : {};
  return label !== name && isWritableName(name) ? { id, name } : { id };
}
