// Checks the declarations of all kinds against each other.
import { groupBy, repeatsIn } from '../../base/group-by.ts';
import {
  errorAt,
  sinkKey,
  sinksOf,
  writtenAt,
  type DesiredResource,
  type DesiredProject,
} from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KindSection } from '../kind-section.ts';
import type { Report } from '../report.ts';
import { addressOf } from '../../model/address.ts';
import { PROJECT } from '../../model/kind.ts';
import { show, codePoint } from '../yaml/show.ts';
import { isReference, leavesOf } from '../../model/values.ts';
import { membersOf, valueOf, type TreeEntry, type TreeNode } from '../yaml/source-tree.ts';

export interface CrossCheckInput {
  readonly projects: readonly DesiredProject[];
  readonly resources: readonly DesiredResource[];
  readonly kinds: readonly KindSection[];
  readonly report: Report;
}

export function checkResources({ resources, projects, kinds, report }: CrossCheckInput): void {
  const byKind = groupBy(resources, ({ kind }) => kind);
  const found = [
    ...duplicateIds(resources),
    ...duplicateProjects(projects),
    ...referenceProblems(resources),
    ...sharedSinks(resources),
    ...kinds.flatMap((kind) => {
      const own = byKind.get(kind.kind);
      return own === undefined ? [] : kind.check(own, { all: resources, projects });
    }),
  ];
  for (const diagnostic of found) report.addDiagnostic(diagnostic);
}

/** Reports an id that two declarations have. Leaves out projects, because `duplicateProjects` compares their ids. */
function duplicateIds(resources: readonly DesiredResource[]): readonly Diagnostic[] {
  const pinOf = ({ kind, pin }: DesiredResource): string | null =>
    pin === null || kind === PROJECT ? null : `${kind}\0${pin}`;
  return repeatsIn(resources, pinOf).map(([first, other]) => {
    const message = `${show(other.pin ?? '')} is claimed by ${first.address} and by ${other.address}`;
    const related = [{ message: `${first.address} claims it here`, range: writtenAt(first, 'id') }];
    return errorAt(other, 'id', 'duplicate_id', message, 'Remove the id from one of the two declarations.', {
      related,
    });
  });
}

function duplicateProjects(projects: readonly DesiredProject[]): readonly Diagnostic[] {
  const keyOf = ({ id, name }: DesiredProject): string => (id === null ? `name\0${name}` : `id\0${id}`);
  return repeatsIn(projects, keyOf).map(([first, other]) => ({
    severity: 'error',
    code: 'duplicate_project',
    message: `${show(first.label)} and ${show(other.label)} stand for the same project`,
    hint: 'Write its resources under one label, or give the two projects different ids (`id:`).',
    range: other.source,
    related: [{ message: `${addressOf(first.label, '*')} is declared here`, range: first.source }],
  }));
}

function sharedSinks(resources: readonly DesiredResource[]): readonly Diagnostic[] {
  const stored = resources.flatMap((resource) =>
    sinksOf(resource).flatMap((sink) =>
      Object.entries(sink).map(([kind, target]) => ({ resource, sink: sinkKey(kind, String(target)) })),
    ),
  );
  return repeatsIn(stored, ({ sink }) => sink).map(([{ resource: first }, { resource: other }]) => {
    const message = `${first.address} and ${other.address} would be stored in the same sink`;
    const related = [{ message: `${first.address} is stored here`, range: writtenAt(first, secretKey(first)) }];
    return errorAt(other, secretKey(other), 'shared_sink', message, 'Give each secret its own sink.', { related });
  });
}

/** Returns the key under which the entry writes its sinks. */
export function secretKey({ sources }: DesiredResource): string {
  return sources()['secret'] === undefined ? 'password' : 'secret';
}

/** Reports references to a resource that the files remove. No other reference fails, because each stands for a declared label. */
function referenceProblems(resources: readonly DesiredResource[]): readonly Diagnostic[] {
  const declared = new Map(resources.map((resource) => [resource.address, resource]));
  return resources.flatMap((resource) =>
    leavesOf(resource.spec).flatMap(({ path, value }) => {
      const referent = isReference(value) ? declared.get(value.ref) : undefined;
      return referent?.absent === true ? [refersToAbsent(resource, path, referent)] : [];
    }),
  );
}

export function refersToAbsent(resource: DesiredResource, path: string, referent: DesiredResource): Diagnostic {
  const { address, source } = referent;
  const message = `${path} refers to ${address}, which has state: absent`;
  const hint = 'Name another resource, or remove its state: absent.';
  const related = [{ message: `${address} is declared here`, range: source }];
  return errorAt(resource, path, 'reference_to_absent', message, hint, { related });
}

// Matches control, bidi and other invisible characters, line separators, and lone surrogates.
const INVISIBLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]|[\ud800-\udfff]/u;

export function nameProblem(name: string): string | null {
  if (name.trim() === '') return 'a name cannot be empty';
  const invisible = INVISIBLE.exec(name);
  if (invisible !== null) return `the name holds the invisible character ${codePoint(invisible[0])}`;
  if (name !== name.trim()) return 'the name begins or ends with a space';
  return null;
}

export function confusableForm(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

/** Returns the named entries of a section, and reports names that look alike. */
export function entriesOf(node: TreeNode, section: string, report: Report): [string, TreeEntry][] {
  const entries = [...membersOf(valueOf(node, section))];
  for (const [[first, { key }], [name, other]] of repeatsIn(entries, ([one]) => confusableForm(one)))
    report.add('confusable_name', `${show(name)} and ${show(first)} look alike`, other.key, {
      hint: 'Names that differ only in case or in the form of their characters are refused: rename one.',
      related: [{ message: `${show(first)} is written here`, span: key }],
    });
  return entries;
}
