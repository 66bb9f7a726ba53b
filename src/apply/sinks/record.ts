// The record of a secret: the text in which a place keeps it, whichever members it has, and what of it may be told.
import { isJsonObject, jsonEqual, parseJson, stringifyJson, type Json, type JsonObject } from '../../base/json.ts';
import { inert } from '../../base/text/inert.ts';
import type { Secret } from '../../base/secret.ts';

/** The members of the record that a kind stores in its sinks. */
export interface RecordShape {
  /** All members, in the order in which they stand. */
  readonly members: readonly string[];
  /** The members that hold a secret, and are never shown. */
  readonly secrets: readonly string[];
  /** The members that show the owner: the record of another owner is never overwritten. */
  readonly owner: readonly string[];
  /** Further ones without which it is no record. */
  readonly required: readonly string[];
  /** The members that are written as exact numbers if they are digits. */
  readonly numbers?: readonly string[];
  /** The shell command that removes the resource at a URL: of a credential, which is shown once. A run tries it out, and removes what it cannot keep. */
  readonly removedBy?: (url: string) => string;
  /** Further facts of a record, without any part of a secret. */
  readonly tells?: (record: JsonObject) => JsonObject;
}

/** Secret members by name. */
export type Secrets = Readonly<Record<string, Secret>>;

/** Far above any value of a service; places with a limit take this much. */
const LONGEST_VALUE = 4096;
/** Above any name or time. */
const LONGEST_TOLD = 300;
/** Controls, line and paragraph separators, what shows nothing or steers how text is shown, lone surrogates. */
const NEVER_IN_A_VALUE = /[\p{C}\p{Zl}\p{Zp}]/u;

/** Why a value is never given to a place, in words that hold no part of it; null when it may be. */
export function valueProblem(secret: Secret): string | null {
  const value = secret.reveal();
  if (value.trim() === '') return 'the value of the secret is empty';
  if (value.length > LONGEST_VALUE) return `the value of the secret is longer than ${LONGEST_VALUE} characters`;
  return NEVER_IN_A_VALUE.test(value) ? 'the value of the secret holds line breaks or control characters' : null;
}

const WHOLE_NUMBER = /^(?:0|[1-9][0-9]{0,19})$/;

/** The stored text: the members of the shape and a line end. A number has any size and is exact. */
export function recordText({ members, numbers = [] }: RecordShape, facts: JsonObject, secrets: Secrets): string {
  const valueOf = (name: string): unknown => {
    const secret = secrets[name];
    if (secret !== undefined) return secret.reveal();
    const value = facts[name] ?? null;
    return numbers.includes(name) && typeof value === 'string' && WHOLE_NUMBER.test(value) ? BigInt(value) : value;
  };
  return `${stringifyJson(Object.fromEntries(members.map((name) => [name, valueOf(name)])), 2)}\n`;
}

/** A record as it was read. */
interface FoundRecord {
  /** The record without its secrets. */
  readonly holds: JsonObject;
  /** Its secret members. */
  readonly values: readonly string[];
}

/** Null for what is no record of this shape. */
export function parseRecord(shape: RecordShape, bytes: Uint8Array): FoundRecord | null {
  const record = jsonIn(bytes);
  if (record === null) return null;
  const values = shape.secrets.map((name) => record[name]);
  const isWhole = values.every((value) => typeof value === 'string' && value !== '');
  const holds = toldOf(shape, record);
  const needed = [...shape.owner, ...shape.required];
  if (!isWhole || needed.some((name) => typeof holds[name] !== 'string')) return null;
  return { holds: { ...holds, ...shape.tells?.(record) }, values: values as readonly string[] };
}

/** The content that a program prints, without secrets; null if it prints no known member. */
export function parseTold(shape: RecordShape, bytes: Uint8Array): JsonObject | null {
  const told = jsonIn(bytes);
  const holds = told === null ? {} : toldOf(shape, told);
  return Object.keys(holds).length === 0 ? null : holds;
}

function jsonIn(bytes: Uint8Array): JsonObject | null {
  try {
    const json = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isJsonObject(json) ? json : null;
  } catch {
    return null;
  }
}

/** Only texts of the known members, and numbers where there are any: whatever else stands there may be a secret. */
function toldOf({ members, secrets, numbers = [] }: RecordShape, record: JsonObject): JsonObject {
  const told = members.flatMap((name): (readonly [string, Json])[] => {
    const value = record[name];
    if (secrets.includes(name)) return [];
    if (typeof value === 'number' && numbers.includes(name)) return [[name, String(value)]];
    return typeof value === 'string' && value.length <= LONGEST_TOLD ? [[name, value]] : [];
  });
  return Object.fromEntries(told);
}

/** Whose record it is, in words, where it is somebody else's than that of `facts`; null where it may be written over. */
export function otherOwner({ owner }: RecordShape, holds: JsonObject | null, facts: JsonObject): string | null {
  const isKnown = (name: string): boolean => holds?.[name] !== undefined && facts[name] !== undefined;
  if (holds === null || owner.every((name) => !isKnown(name) || jsonEqual(holds[name] ?? null, facts[name] ?? null)))
    return null;
  return inert(JSON.stringify(owner.map((name) => String(holds[name] ?? '?')).join('/')));
}

/** True where what is told of a record is known to be other than `facts` say; what is not told is no word against it. */
export function isStale(holds: JsonObject | null, facts: JsonObject): boolean {
  if (holds === null) return false;
  return Object.entries(facts).some(([name, value]) => name in holds && !jsonEqual(holds[name] ?? null, value));
}
