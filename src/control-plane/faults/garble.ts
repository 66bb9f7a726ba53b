// Malformed and changed replies, as captive portals, broken proxies and hostile servers send them.
import { gzipSync } from 'node:zlib';
import type { Garbling } from './plan.ts';

const HUGE_BYTES = 64 * 1_048_576;

export interface Spoilt {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly bytes: string | Uint8Array<ArrayBuffer> | null;
}

export function garble(reply: Spoilt, how: Garbling): Spoilt {
  const text = typeof reply.bytes === 'string' ? reply.bytes : '{}';
  const withBytes = (bytes: Spoilt['bytes']): Spoilt => ({ ...reply, bytes });
  const withMembers = (change: (body: Record<string, unknown>) => unknown): Spoilt =>
    withBytes(JSON.stringify(change(objectOf(text))));
  switch (how) {
    case 'empty':
      return withBytes('');
    case 'no-content':
      return { ...reply, status: 204, bytes: null };
    case 'html':
      return { ...reply, headers: { ...reply.headers, 'Content-Type': 'text/html' }, bytes: '<html>Sign in</html>' };
    case 'malformed':
      return withBytes(text.slice(0, -1));
    case 'array':
      return withBytes('[]');
    case 'null':
      return withBytes('null');
    case 'no-ids':
      return withBytes(text.replaceAll(/"id":("[^"]*"|\d+),?/g, ''));
    case 'no-operations':
      return withMembers(({ operations: _operations, ...body }) => body);
    case 'empty-operations':
      // A body without this list stays as it is: parsing would round numbers that are longer than a double holds.
      return Array.isArray(objectOf(text)['operations']) ? withMembers((body) => ({ ...body, operations: [] })) : reply;
    case 'byte-order-mark':
      return withBytes(`\u{feff}${text}`);
    case 'utf-16':
      return withBytes(Uint8Array.from(Buffer.from(`\u{feff}${text}`, 'utf16le')));
    case 'duplicate-keys':
      return withBytes(text.replaceAll(/"id":("[^"]*"|\d+)/g, '"id":"another","id":$1'));
    case 'duplicate-list':
      return withBytes(withListTwice(text));
    case 'invalid-utf8':
      return withBytes(Uint8Array.from([...Buffer.from(text).subarray(0, -1), 0xff, 0xfe, 0x7d]));
    case 'proto-key':
      return withBytes(text.replace('{', '{"__proto__":{"polluted":true},'));
    case 'unknown-members':
      return withMembers((body) => ({ ...body, new_member: { kind: 'unheard of' } }));
    case 'gzip':
      return { ...reply, headers: { ...reply.headers, 'Content-Encoding': 'gzip' }, bytes: gzipped(text) };
    case 'huge':
      return withBytes(`${text.slice(0, -1)}${' '.repeat(HUGE_BYTES)}}`);
    default:
      return how satisfies never;
  }
}

function withListTwice(text: string): string {
  const list = Object.entries(objectOf(text)).find(([, member]) => Array.isArray(member))?.[0];
  return list === undefined ? text : `${text.slice(0, -1)},${JSON.stringify(list)}:[]}`;
}

function gzipped(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(gzipSync(text));
}

function objectOf(text: string): Record<string, unknown> {
  const body = JSON.parse(text === '' ? '{}' : text) as unknown;
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}

/** `body` with `value` at each position of the dotted path `at`; undefined removes the member. `*` is any member or item. */
export function rewrite(body: unknown, at: string, value: unknown): unknown {
  return changed(body, at.split('.'), value);
}

function changed(node: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(node))
    return node.map((item: unknown, index) => (isMeant(step, String(index)) ? changed(item, rest, value) : item));
  if (typeof node !== 'object' || node === null) return node;
  const members = Object.entries(node).map(
    ([name, member]) => [name, isMeant(step, name) ? changed(member, rest, value) : (member as unknown)] as const,
  );
  if (rest.length === 0 && step !== '*' && !Object.hasOwn(node, step)) members.push([step, value]);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

function isMeant(step: string, name: string): boolean {
  return step === '*' || step === name;
}

export function redate(body: unknown, byMs: number): unknown {
  if (Array.isArray(body)) return body.map((item: unknown) => redate(item, byMs));
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, member]: [string, unknown]) => {
      if (name === 'created_at' && typeof member === 'string')
        return [name, new Date(Date.parse(member) + byMs).toISOString()];
      return [name, name === 'operations' ? member : redate(member, byMs)];
    }),
  );
}

export function withUnavailable(body: unknown, ids: readonly string[]): unknown {
  if (typeof body !== 'object' || body === null || !('projects' in body) || !Array.isArray(body.projects)) return body;
  const { projects } = body as { readonly projects: readonly { readonly id: string }[] };
  return { ...body, projects: projects.filter(({ id }) => !ids.includes(id)), unavailable_project_ids: ids };
}
