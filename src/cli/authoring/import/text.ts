// Drafts as texts of desired-state files.
import { relative } from 'node:path';
import type { JsonObject } from '../../../base/json.ts';
import { renderBlock } from '../../../config/edit/render.ts';
import type { DraftEntry, DraftScope } from './scope.ts';

/** Where the schema lies, seen from the working folder. */
const SCHEMA = 'node_modules/trueup/schemas/desired-state.schema.json';

/** The first line of a file in `folder` (absolute) that tells editors its schema. */
export function schemaLine(cwd: string, folder: string): string {
  const way = relative(folder, cwd).replaceAll('\\', '/');
  return `# yaml-language-server: $schema=${way === '' ? '.' : way}/${SCHEMA}`;
}

/** One file with these scopes, in this order. */
export function textOfScopes(scopes: readonly DraftScope[], schema: string): string {
  const lines = [schema, '# Written by `trueup import`. What is not written is not managed.', 'version: 1'];
  const options = { column: 0, inlineFrom: Infinity };
  for (const { label, entries } of scopes.filter(({ project }) => project === null))
    lines.push('', ...renderBlock({ [label]: membersOf(entries) }, options));
  const projects = scopes.filter(({ project }) => project !== null);
  if (projects.length > 0) lines.push('', 'projects:');
  for (const scope of projects)
    lines.push(...renderBlock({ [scope.label]: projectOf(scope) }, { ...options, column: 2 }));
  return `${lines.join('\n')}\n`;
}

function projectOf({ head, entries }: DraftScope): JsonObject {
  const sections = new Map<string, DraftEntry[]>();
  for (const entry of entries) {
    const { section } = entry.section;
    sections.set(section, [...(sections.get(section) ?? []), entry]);
  }
  return { ...head, ...Object.fromEntries([...sections].map(([name, own]) => [name, membersOf(own)])) };
}

function membersOf(entries: readonly DraftEntry[]): JsonObject {
  return Object.fromEntries(
    entries.map(({ label, identity, attributes }) => [label, { ...identity, ...attributes }] as const),
  );
}

/** The name of a project's own file: never hidden, never one that leads elsewhere. */
export function fileNameOf({ label }: DraftScope): string {
  return `${label.replace(/^\.+/, (dots) => '_'.repeat(dots.length))}.yaml`;
}
