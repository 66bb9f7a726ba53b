// What is to be imported, as a draft: every unlisted resource with the label and the words that it shall have in a file.
import type { JsonObject } from '../base/json.ts';
import { inert } from '../base/inert.ts';
import type { KindSection, WrittenEntry } from '../config/kind-section.ts';
import { confusableForm } from '../config/names.ts';
import { kinds } from '../kinds/index.ts';
import { addressOf } from '../model/address.ts';
import type { DesiredState } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { LiveProject, LiveResource, LiveState } from '../model/live.ts';
import type { Survey } from '../reconciler/types.ts';
import { isWritableName, openLabels, type Labels } from './import-labels.ts';

export type AttributeDetail = 'minimal' | 'full';

export interface DraftEntry {
  readonly section: KindSection;
  readonly label: string;
  readonly identity: JsonObject;
  readonly attributes: JsonObject;
}

/** What goes under one project, or under the section of an account-wide kind (`project` is null). */
export interface DraftScope {
  readonly label: string;
  readonly project: LiveProject | null;
  /** Lines before the entries: id and name, as far as no file has them. */
  readonly head: JsonObject;
  readonly entries: readonly DraftEntry[];
}

export interface Draft {
  readonly scopes: readonly DraftScope[];
  /** What was left out, and why. */
  readonly warnings: readonly Diagnostic[];
}

type Kind = (typeof kinds)[number];

/** Drafts what the survey found unlisted; `desired` is what the files say already. */
export function draftImport(
  desired: DesiredState,
  survey: Pick<Survey, 'unlisted' | 'declared'> & { readonly live: LiveState },
  detail: AttributeDetail,
): Draft {
  const warnings: Diagnostic[] = [];
  const unlisted = new Set(survey.unlisted.map(({ kind, id }) => `${kind} ${id}`));
  const wanted = survey.live.resources.filter(({ kind, id }) => unlisted.has(`${kind} ${id}`));
  const projectLabels = openLabels(desired.projects.map(({ label }) => label));
  const scopes: DraftScope[] = [];
  for (const kind of kinds) {
    if (kind.remote.scope !== 'account') continue;
    const input = { kind, scope: kind.section.section, desired, detail, warnings };
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
    const label = isDeclared ? project.label : projectLabels.choose(project.name, project.id);
    const entries = kinds.flatMap((kind): readonly DraftEntry[] => {
      const isOfKind = (live: LiveResource): boolean => live.kind === kind.rules.kind;
      const input = { kind, scope: label, desired, detail, warnings };
      return draftEntries(input, survey.live.resources.filter(ofProject).filter(isOfKind), own.filter(isOfKind));
    });
    if (entries.length > 0) scopes.push({ label, project, head: headOf(project, label, desired, isDeclared), entries });
  }
  return { scopes, warnings };
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
  readonly warnings: Diagnostic[];
}

function draftEntries(
  input: EntriesInput,
  all: readonly LiveResource[],
  unlisted: readonly LiveResource[],
): readonly DraftEntry[] {
  const { kind, scope, desired, detail, warnings } = input;
  const declared = desired.resources.filter((one) => one.scope === scope && one.kind === kind.rules.kind);
  const wanted = unlisted.filter((live) => {
    const problem = leftOut(kind, live, all, declared);
    if (problem !== null) warnings.push(leavingOut(scope, live.id, problem));
    return problem === null;
  });
  const labels = openLabels(declared.map(({ name }) => name));
  const names = new Map(declared.map(({ spec }) => [confusableForm(String(spec['name'])), String(spec['name'])]));
  return kind.section.written(all, wanted).flatMap((written): DraftEntry[] => {
    const problem = written.isApiName ? nameTrouble(written.name, names) : null;
    if (problem === null) return [entryOf(written, kind.section, labels, detail)];
    warnings.push(leavingOut(scope, written.id, problem));
    return [];
  });
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

function entryOf(written: WrittenEntry, section: KindSection, labels: Labels, detail: AttributeDetail): DraftEntry {
  const label = labels.choose(written.name, `${section.kind.replaceAll('_', '-')}-${written.id}`);
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
