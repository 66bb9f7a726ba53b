// The interface of a sink, and the record of a secret: its members, the text that a sink stores, and the members that may be shown.
import { type JsonObject, isJsonObject, jsonEqual, parseJson, stringifyJson, type Json } from '../../base/json.ts';
import { inert } from '../../base/text/inert.ts';
import type { Secret } from '../../base/secret.ts';

/** `broken`: the sink cannot be used, because of `reason`. For a `stored` secret, `reason` may be a warning. */
export interface SinkState {
  readonly state: 'stored' | 'absent' | 'broken';
  /** The stored record without its secret; null if the sink does not show its content. */
  readonly holds: JsonObject | null;
  readonly reason: string | null;
  /** True if the sink has a credential that this run uses; missing if the sink does not show its content. */
  readonly isOurs?: boolean;
  /** Set if this machine lacks the base folder of the sink: another machine may hold the secret, so `absent` proves nothing. */
  readonly isElsewhere?: true;
}

export interface Reservation {
  /** Stores the record durably, then checks the sink. On failure, restores the former content if the sink can, and rejects with `SinkFailure`. */
  store(facts: JsonObject, secrets: Secrets, signal?: AbortSignal): Promise<void>;
  /** Restores the former content, whether `store` succeeded or failed. Rejects with `SinkFailure` if the sink keeps, or may keep, the new secret. */
  revert(signal?: AbortSignal): Promise<void>;
  /** Releases an unused reservation. Never rejects; does nothing after `store`. */
  release(): Promise<void>;
}

export interface SecretSink {
  /** For example `file:ci-deploy.json`. */
  readonly label: string;
  readonly path?: string;
  /** Reads the state; changes nothing and never rejects. `broken` if the signal aborts it. */
  check(signal?: AbortSignal): Promise<SinkState>;
  /** Ensures, before the secret exists, that the sink can store it. Rejects with `SinkFailure`. */
  reserve(signal?: AbortSignal): Promise<Reservation>;
  /** Removes the record, but never a file that is no record. Rejects with `SinkFailure` unless the record is gone. */
  forget(signal?: AbortSignal): Promise<void>;
}

/** A sink with its reservation for one secret. */
export interface Place {
  readonly sink: SecretSink;
  readonly reservation: Reservation;
}

/** The failure of a sink. The message is escaped and has no part of a secret. */
export class SinkFailure extends Error {
  override readonly name = 'SinkFailure' as const;

  constructor(label: string, message: string, cause?: unknown) {
    super(`${label}: ${message}`, cause === undefined ? undefined : { cause });
  }
}

/** Describes a system error by its code, never by its text, which may quote a path or a value. */
export function systemWords(code: string): string {
  const words: Readonly<Record<string, string>> = {
    ENOSPC: 'the disk is full',
    EDQUOT: 'the quota is used up',
    EROFS: 'the file system is read-only',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EIO: 'the disk reported an error',
    EXDEV: 'the folder spans two file systems',
    ELOOP: 'a symlink is in the path',
    ENOTDIR: 'the path of its folder is a file',
    ENOENT: 'the folder was deleted',
    ENAMETOOLONG: 'the name is too long',
    EMFILE: 'too many open files',
    ENFILE: 'too many open files',
    EFBIG: 'the file is too large',
  };
  const meaning = words[code];
  if (meaning !== undefined) return `${meaning} (${code})`;
  return code === '' ? 'an unexpected error' : code;
}

export interface RecordShape {
  /** All members, in the order of the stored text. */
  readonly members: readonly string[];
  readonly secrets: readonly string[];
  /** The members that show to which resource the secret of the record belongs; a sink never overwrites the record of another owner. */
  readonly owner: readonly string[];
  readonly required: readonly string[];
  /** The members that are written as exact JSON numbers if their value is digits. */
  readonly numbers?: readonly string[];
  /** Returns the shell command that removes the credential at `url`. Set if the service shows the secret only once; trueup then tests it. */
  readonly removedBy?: (url: string) => string;
  /** Derives further facts from a record, without any part of a secret. */
  readonly tells?: (record: JsonObject) => JsonObject;
}

export type Secrets = Readonly<Record<string, Secret>>;

/** The maximum length of a secret value: more than the service makes, and short enough for sinks that limit the length. */
const LONGEST_VALUE = 4096;
/** The maximum length of a member that is no secret, in characters: more than any name or time has. */
const LONGEST_TOLD = 300;
/** Control and invisible characters, line and paragraph separators, and lone surrogates. */
const NEVER_IN_A_VALUE = /[\p{C}\p{Zl}\p{Zp}]/u;

/** Returns why a value must not go to a sink, without any part of the value; null if the value may go there. */
export function valueProblem(secret: Secret): string | null {
  const value = secret.reveal();
  if (value.trim() === '') return 'the value of the secret is empty';
  if (value.length > LONGEST_VALUE) return `the value of the secret is longer than ${LONGEST_VALUE} characters`;
  return NEVER_IN_A_VALUE.test(value) ? 'the value of the secret holds line breaks or control characters' : null;
}

const WHOLE_NUMBER = /^(?:0|[1-9][0-9]{0,19})$/;

/** Returns the text that a sink stores: the members of the shape as JSON, and a newline. A number may have any size and stays exact. */
export function recordText({ members, numbers = [] }: RecordShape, facts: JsonObject, secrets: Secrets): string {
  const valueOf = (name: string): unknown => {
    const secret = secrets[name];
    if (secret !== undefined) return secret.reveal();
    const value = facts[name] ?? null;
    return numbers.includes(name) && typeof value === 'string' && WHOLE_NUMBER.test(value) ? BigInt(value) : value;
  };
  return `${stringifyJson(Object.fromEntries(members.map((name) => [name, valueOf(name)])), 2)}\n`;
}

interface FoundRecord {
  readonly holds: JsonObject;
  readonly values: readonly string[];
}

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

/** Parses the output of a sink program, and drops the secrets; null if no known member is left. */
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

/** Keeps only short texts and declared numbers of known members, because anything else may be a secret. */
function toldOf({ members, secrets, numbers = [] }: RecordShape, record: JsonObject): JsonObject {
  const told = members.flatMap((name): (readonly [string, Json])[] => {
    const value = record[name];
    if (secrets.includes(name)) return [];
    if (typeof value === 'number' && numbers.includes(name)) return [[name, String(value)]];
    return typeof value === 'string' && value.length <= LONGEST_TOLD ? [[name, value]] : [];
  });
  return Object.fromEntries(told);
}

/** Returns the owner of the stored record if it differs from the owner in `facts`; null if the record may be overwritten. */
export function otherOwner({ owner }: RecordShape, holds: JsonObject | null, facts: JsonObject): string | null {
  const isKnown = (name: string): boolean => holds?.[name] !== undefined && facts[name] !== undefined;
  if (holds === null || owner.every((name) => !isKnown(name) || jsonEqual(holds[name] ?? null, facts[name] ?? null)))
    return null;
  return inert(JSON.stringify(owner.map((name) => String(holds[name] ?? '?')).join('/')));
}

/** True if the record in the sink differs from `facts`. Compares only the members that the sink shows. */
export function isStale(holds: JsonObject | null, facts: JsonObject): boolean {
  if (holds === null) return false;
  return Object.entries(facts).some(([name, value]) => name in holds && !jsonEqual(holds[name] ?? null, value));
}
