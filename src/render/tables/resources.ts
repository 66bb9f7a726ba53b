// Renders managed resources as a table, as JSON and as shell variables.
import { groupBy } from '../../base/group-by.ts';
import { arrayOf, compareText, type Json, type JsonObject } from '../../base/json.ts';
import { shellWord } from '../../base/text/shell-word.ts';
import { listOf } from '../../base/text/words.ts';
import type { Address } from '../../model/address.ts';
import type { Unread } from '../../model/live.ts';
import type { ResourceResult } from '../../model/outcome/result.ts';
import { resourcesToJson } from '../machine/result-json.ts';
import { tableLines, type ListOptions } from './table.ts';
import { nameText, shown } from '../text/escape.ts';
import { wrap } from '../text/width.ts';

export type ResourceList = Readonly<Record<Address, ResourceResult>>;

function sorted(resources: ResourceList): [Address, ResourceResult][] {
  return Object.entries(resources).sort(([a], [b]) => compareText(a, b));
}

export function renderList(resources: ResourceList, options: ListOptions): string {
  const members = [...new Set(Object.values(resources).flatMap(({ columns }) => Object.keys(columns)))];
  const titles = members.map((member) => member.replace(/_id$/, '').replaceAll('_', ' ').toUpperCase());
  const rows = sorted(resources).map(([address, { id, columns }]) => [
    nameText(address),
    cell(id),
    ...members.map((member) => cell(columns[member] ?? null)),
  ]);
  const lines = tableLines(['ADDRESS', 'ID', ...titles], rows, options);
  if (lines.length === 0) return options.isWhole ? 'No managed resources.\n' : '';
  const loose = sorted(resources).flatMap(([address, { pinned }]) => (pinned ? [] : [nameText(address)]));
  const remark = `Not pinned, so a label may match another replica next time; trueup pin prevents that: ${listOf(loose)}`;
  const told = loose.length === 0 ? [] : ['', ...wrap(remark, { width: options.width })];
  const files = titled('Secrets in files:', resources, ({ secret_files: paths }) =>
    arrayOf(paths).map((path) => shown(String(path), Infinity)),
  );
  const commands = titled('To connect (psql asks for the password):', resources, ({ uri }) =>
    uri === undefined ? [] : [`psql ${word(String(uri))}`],
  );
  return `${[...lines, ...told, ...files, ...commands].join('\n')}\n`;
}

/** A title, and below it lines for each resource, which are never cut, so that users can copy them. */
function titled(title: string, resources: ResourceList, textsOf: (more: JsonObject) => readonly string[]): string[] {
  const lines = sorted(resources).flatMap(([address, { more = {} }]) =>
    textsOf(more).map((text) => `  ${text}  # ${nameText(address)}`),
  );
  return lines.length === 0 ? [] : ['', title, ...lines];
}

function cell(text: string | null): string {
  return text === null || text === '' ? '-' : shown(text);
}

export function unreadToJson(unread: readonly Unread[]): readonly Json[] {
  return unread.map(({ what, projectId, reason }) => ({ what, project_id: projectId, reason }));
}

/** `{resources: {ADDRESS: {id, …, pinned}}, unread: []}`; results and plans have resources in the same form. */
export function listToJson(resources: ResourceList, unread: readonly Unread[]): JsonObject {
  return { resources: resourcesToJson(sorted(resources)), unread: unreadToJson(unread) };
}

/** `SHOP_MAIN_ID=…` and all members but the state, for `set -a; . FILE`. Addresses that share a variable become a comment. */
export function renderEnv(resources: ResourceList): string {
  const byName = groupBy(sorted(resources), ([address]) => variableName(address));
  const lines = [...byName].flatMap(([name, entries]) => {
    const [only] = entries;
    if (entries.length > 1)
      return [`# left out, because all map to ${name}: ${entries.map(([address]) => nameText(address)).join(', ')}`];
    const { id, columns, more = {}, pinned } = only[1];
    return [
      ...(pinned ? [] : [`# pinned: false: ${nameText(only[0])} may match another replica next time (trueup pin)`]),
      `${name}_ID=${word(id)}`,
      ...Object.entries({ ...columns, ...more }).flatMap(([key, value]) =>
        value === null || key === 'state' ? [] : [`${name}_${key.toUpperCase()}=${word(String(value))}`],
      ),
    ];
  });
  return lines.map((line) => `${line}\n`).join('');
}

function variableName(address: Address): string {
  const name = address.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
  return /^[A-Z_]/.test(name) ? name : `_${name}`;
}

function word(text: string): string {
  return shellWord(shown(text, 300));
}
