// Malformed and changed replies, as captive portals, broken proxies and hostile servers send them.
import { gzipSync } from 'node:zlib';
import type { Garbling } from './plan.ts';

const HUGE_BYTES = 64 * 1_048_576;

type Bytes = string | Uint8Array<ArrayBuffer>;

export interface SentReply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly bytes: Bytes | null;
}

export function corrupt(reply: SentReply, how: Garbling): SentReply {
  const text = typeof reply.bytes === 'string' ? reply.bytes : '{}';
  if (how === 'no-content') return { ...reply, status: 204, bytes: null };
  if (how === 'html') return withHeader(reply, 'Content-Type', 'text/html', '<html>Sign in</html>');
  if (how === 'gzip') return withHeader(reply, 'Content-Encoding', 'gzip', Uint8Array.from(gzipSync(text)));
  return { ...reply, bytes: GARBLED[how](text) };
}

const GARBLED: Readonly<Record<Exclude<Garbling, 'no-content' | 'html' | 'gzip'>, (text: string) => Bytes>> = {
  empty: () => '',
  malformed: (text) => text.slice(0, -1),
  array: () => '[]',
  null: () => 'null',
  'no-ids': (text) => text.replaceAll(/"id":("[^"]*"|\d+),?/g, ''),
  'no-operations': (text) => withMembers(text, ({ operations: _operations, ...body }) => body),
  // Leaves a body without `operations` as it is, because parsing and writing it again would round integers above 2^53.
  'empty-operations': (text) =>
    Array.isArray(objectOf(text)['operations']) ? withMembers(text, (body) => ({ ...body, operations: [] })) : text,
  'byte-order-mark': (text) => `\u{feff}${text}`,
  'utf-16': (text) => Uint8Array.from(Buffer.from(`\u{feff}${text}`, 'utf16le')),
  'duplicate-keys': (text) => text.replaceAll(/"id":("[^"]*"|\d+)/g, '"id":"another","id":$1'),
  'duplicate-list': withListTwice,
  'invalid-utf8': (text) => Uint8Array.from([...Buffer.from(text).subarray(0, -1), 0xff, 0xfe, 0x7d]),
  'proto-key': (text) => text.replace('{', '{"__proto__":{"polluted":true},'),
  'unknown-members': (text) => withMembers(text, (body) => ({ ...body, new_member: { kind: 'unheard of' } })),
  huge: (text) => `${text.slice(0, -1)}${' '.repeat(HUGE_BYTES)}}`,
};

function withHeader(reply: SentReply, name: string, value: string, bytes: Bytes): SentReply {
  return { ...reply, headers: { ...reply.headers, [name]: value }, bytes };
}

function withMembers(text: string, change: (body: Record<string, unknown>) => unknown): string {
  return JSON.stringify(change(objectOf(text)));
}

function withListTwice(text: string): string {
  const list = Object.entries(objectOf(text)).find(([, member]) => Array.isArray(member))?.[0];
  return list === undefined ? text : `${text.slice(0, -1)},${JSON.stringify(list)}:[]}`;
}

function objectOf(text: string): Record<string, unknown> {
  const body = JSON.parse(text === '' ? '{}' : text) as unknown;
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}

/** Replaces or adds the value at each place that the path `at` names; undefined removes the member. `*` is any member or item. */
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
