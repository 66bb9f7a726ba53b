// What is to be imported, as a draft: every unlisted resource with the label and the words that it shall have in a file.
import type { JsonObject } from '../../../base/json.ts';
import { inert } from '../../../base/text/inert.ts';
import type { KindSection, WrittenEntry } from '../../../config/kind-section.ts';
import { confusableForm } from '../../../config/check/names.ts';
import { kinds } from '../../../kinds/index.ts';
import { addressOf } from '../../../model/address.ts';
import type { DesiredState } from '../../../model/desired.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { LiveProject, LiveResource, LiveState } from '../../../model/live.ts';
import type { Survey } from '../../../reconciler/types.ts';
import { withBranchLabels } from './branches.ts';
import { isWritableName, openLabels, type Labels } from './labels.ts';
import { wishesFor, type Names } from './names.ts';
import type { AttributeDetail, Draft, DraftEntry, DraftScope } from './scope.ts';

type Kind = (typeof kinds)[number];

/** Drafts what the survey found unlisted; `desired` is what the files say already, `names` what others call things. */
export function draftImport(
  desired: DesiredState,
  survey: Pick<Survey, 'unlisted' | 'declared'> & { readonly live: LiveState },
  detail: AttributeDetail,
  names: Names = new Map(),
): Draft {
  const warnings: Diagnostic[] = [];
  const unlisted = new Set(survey.unlisted.map(({ kind, id }) => `${kind} ${id}`));
  const wanted = survey.live.resources.filter(({ kind, id }) => unlisted.has(`${kind} ${id}`));
  const projectLabels = labelsOfProjects(desired, survey, names);
  const scopes: DraftScope[] = [];
  for (const kind of kinds) {
    if (kind.remote.parent !== null) continue;
    const input = { kind, scope: kind.section.section, desired, detail, names, warnings };
    const [all, own] = [survey.live.resources, wanted].map((list) =>
      list.filter((live) => live.kind === kind.rules.kind),
    );
    const entries = draftEntries(input, all ?? [], own ?? []);
    if (entries.length > 0) scopes.push({ label: kind.section.section, project: null, head: {}, entries });
  }
  for (const project of survey.live.projects) {
    const ofProject = (live: LiveResource): boolean => live.projectId === project.id;
    const own = wanted.filter(ofProject);
    if (own.length === 0) continue;
    const isDeclared = survey.declared.has(project.id);
    const label = projectLabels.get(project.id) ?? project.label;
    const entries = kinds.flatMap((kind): readonly DraftEntry[] => {
      const isOfKind = (live: LiveResource): boolean => live.kind === kind.rules.kind;
      const input = { kind, scope: label, desired, detail, names, warnings };
      return draftEntries(input, survey.live.resources.filter(ofProject).filter(isOfKind), own.filter(isOfKind));
    });
    if (entries.length === 0) continue;
    const scope = { label, project, head: headOf(project, label, desired, isDeclared), entries };
    scopes.push(isDeclared ? scope : withBranchLabels(scope, names));
  }
  return { scopes, warnings };
}

/** The labels of projects that no file declares, by id: those of other people's names first, so that no other takes them. */
function labelsOfProjects(
  desired: DesiredState,
  { live, declared }: Pick<Survey, 'declared'> & { readonly live: LiveState },
  names: Names,
): ReadonlyMap<string, string> {
  const undeclared = live.projects.filter(({ id }) => !declared.has(id));
  const wishes = wishesFor(
    undeclared.map(({ id }) => id),
    names,
  );
  const labels = openLabels(desired.projects.map(({ label }) => label));
  const wished = undeclared.flatMap((project) => {
    const wish = wishes.get(project.id);
    return wish === undefined ? [] : [[project.id, labels.choose(wish, project.id)] as const];
  });
  const others = undeclared.filter(({ id }) => !wishes.has(id));
  return new Map([...wished, ...others.map(({ id, name }) => [id, labels.choose(name, id)] as const)]);
}

/** The id always; the name where the label does not say it and a file can hold it. */
function headOf({ id, name }: LiveProject, label: string, desired: DesiredState, isDeclared: boolean): JsonObject {
  const declared = isDeclared ? desired.projects.find((project) => project.label === label) : undefined;
  if (declared !== undefined) return declared.id === null ? { id } : {};
  return label !== name && isWritableName(name, 256) ? { id, name } : { id };
}

interface EntriesInput {
  readonly kind: Kind;
  readonly scope: string;
  readonly desired: DesiredState;
  readonly detail: AttributeDetail;
  readonly names: Names;
  readonly warnings: Diagnostic[];
}

function draftEntries(
  input: EntriesInput,
  all: readonly LiveResource[],
  unlisted: readonly LiveResource[],
): readonly DraftEntry[] {
  const { kind, scope, desired, warnings } = input;
  const declared = desired.resources.filter((one) => one.scope === scope && one.kind === kind.rules.kind);
  const wanted = unlisted.filter((live) => {
    const problem = leftOut(kind, live, all, declared);
    if (problem !== null) warnings.push(leavingOut(scope, live.id, problem));
    return problem === null;
  });
  const labels = openLabels(declared.map(({ name }) => name));
  const apiNames = new Map(declared.map(({ spec }) => [confusableForm(String(spec['name'])), String(spec['name'])]));
  const writable = kind.section.written(all, wanted).filter((written) => {
    const problem = written.isApiName ? nameTrouble(written.name, apiNames) : null;
    if (problem !== null) warnings.push(leavingOut(scope, written.id, problem));
    return problem === null;
  });
  const chosen = chosenLabels(writable, { kind, labels, names: input.names });
  return writable.map((written) =>
    entryOf(written, kind.section, chosen.get(written.id) ?? written.name, input.detail),
  );
}

/** Labels by id; what others have a name for chooses first. */
function chosenLabels(
  writable: readonly WrittenEntry[],
  { kind, labels, names }: { readonly kind: Kind; readonly labels: Labels; readonly names: Names },
): ReadonlyMap<string, string> {
  const wishes = wishesFor(
    writable.map(({ id }) => id),
    names,
  );
  const choose = ({ id, name }: WrittenEntry): readonly [string, string] => [
    id,
    labels.choose(wishes.get(id) ?? name, `${kind.section.kind.replaceAll('_', '-')}-${id}`),
  ];
  const [wished, others] = [true, false].map((isWished) => writable.filter(({ id }) => wishes.has(id) === isWished));
  return new Map([...(wished ?? []), ...(others ?? [])].map(choose));
}

/** Why a live resource cannot be declared; null when it can. */
function leftOut(
  { rules }: Kind,
  live: LiveResource,
  all: readonly LiveResource[],
  declared: DesiredState['resources'],
): string | null {
  if (!rules.known(live)) return 'it is of a type that this version does not know';
  const place = rules.place(live.spec);
  if (place === null) return null;
  if (all.some((other) => other.id !== live.id && rules.place(other.spec) === place))
    return `several are ${place}, though there can be only one`;
  const holder = declared.find(({ spec, absent }) => !absent && rules.place(spec) === place);
  return holder === undefined ? null : `it is ${place}, which the file gives to ${holder.address}`;
}

/** Why a key's name keeps it out of the file; else the name is taken. */
function nameTrouble(name: string, names: Map<string, string>): string | null {
  if (!isWritableName(name, 64)) return `a file cannot hold its name ${inert(JSON.stringify(name), 80)}`;
  const form = confusableForm(name);
  const other = names.get(form);
  if (other !== undefined && other !== name)
    return `its name ${inert(JSON.stringify(name), 80)} could be confused with ${inert(JSON.stringify(other), 80)}`;
  names.set(form, name);
  return null;
}

function entryOf(written: WrittenEntry, section: KindSection, label: string, detail: AttributeDetail): DraftEntry {
  const { id, ...identity } = written.identity;
  const name = written.isApiName && label !== written.name ? { name: written.name } : {};
  return {
    section,
    label,
    identity: { ...(id === undefined ? {} : { id }), ...name, ...identity },
    attributes: detail === 'full' ? written.attributes : {},
  };
}

export function leavingOut(scope: string, id: string, problem: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'not_imported',
    message: `${inert(id, 80)} is left out: ${problem}`,
    address: addressOf(scope, id),
  };
}
