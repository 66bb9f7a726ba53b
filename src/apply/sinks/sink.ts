// What a place for secrets can do: say what it holds, be reserved before the secret exists, and take it in whole or not at all.
import { stringifyJson } from '../../base/json.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Secret } from '../../base/secret.ts';

/** `broken`: it cannot be used as it is; `reason` says why. A `stored` one may carry a remark in `reason`. */
export interface SinkState {
  readonly state: 'stored' | 'absent' | 'broken';
  /** Id and name in the stored record; null when the place does not tell. */
  readonly id: string | null;
  readonly name: string | null;
  readonly reason: string | null;
  /** Whether it holds the very value that the run comes with; absent where the place does not show what it holds. */
  readonly isOurs?: boolean;
}

/** The time that a store has. */
export interface StoreTime {
  /** Aborted when the time is over: a program that is still at it is ended. */
  readonly signal: AbortSignal;
  /** False when time is short: what failed is not tried again. */
  readonly mayRepeat: () => boolean;
}

/** A place that is ready to take one secret. */
export interface Reservation {
  /**
   * Stores `{name, id, key, created_at}` durably and reads it back. Rejects with `SinkFailure` when that is not certain;
   * the place then holds what it held before, as far as it can be put back.
   */
  store(record: JsonObject, secret: Secret, time?: StoreTime): Promise<void>;
  /**
   * After `store`, failed or not: puts back what the place held before, since the new secret is useless. Rejects with
   * `SinkFailure` when the place keeps the new one, or may.
   */
  revert(signal?: AbortSignal): Promise<void>;
  /** Gives back what was reserved and not used. Never rejects; does nothing after `store`. */
  release(): Promise<void>;
}

/** One place for one secret. */
export interface SecretSink {
  /** Where, never what: `file:ci-deploy.json`. */
  readonly label: string;
  /** Looks without changing anything; never rejects. A place that is still looking at the signal is `broken`. */
  check(signal?: AbortSignal): Promise<SinkState>;
  /** Makes sure that a secret can be stored; rejects with `SinkFailure`. Called before the secret is made. */
  reserve(signal?: AbortSignal): Promise<Reservation>;
}

/** A place that did not do what was asked. The message is inert and holds no part of a secret. */
export class SinkFailure extends Error {
  override readonly name = 'SinkFailure' as const;
  readonly label: string;

  constructor(label: string, message: string, cause?: unknown) {
    super(`${label}: ${message}`, cause === undefined ? undefined : { cause });
    this.label = label;
  }
}

/** Far above any value of a service; places with a limit take this much. */
const LONGEST_VALUE = 4096;
/** Controls, line and paragraph separators, what shows nothing or steers how text is shown, lone surrogates. */
const NEVER_IN_A_VALUE = /[\p{C}\p{Zl}\p{Zp}]/u;

/** Why a value is never given to a place, in words that hold no part of it; null when it may be. */
export function valueProblem(secret: Secret): string | null {
  const value = secret.reveal();
  if (value.trim() === '') return 'its value is empty';
  if (value.length > LONGEST_VALUE) return `its value is longer than ${LONGEST_VALUE} characters`;
  return NEVER_IN_A_VALUE.test(value) ? 'its value holds line breaks or control characters' : null;
}

/** Facts that stand beside the secret, as the service's own words: `{name, id, created_at}`. */
const WHOLE_NUMBER = /^(?:0|[1-9][0-9]{0,19})$/;

/** The stored text: `{name, id, key, created_at}` and a line end. An id of digits becomes an exact integer of any size. */
export function recordText(record: JsonObject, secret: Secret): string {
  const id = record['id'] ?? null;
  const exactId = typeof id === 'string' && WHOLE_NUMBER.test(id) ? BigInt(id) : id;
  const whole = {
    name: record['name'] ?? null,
    id: exactId,
    key: secret.reveal(),
    created_at: record['created_at'] ?? null,
  };
  return `${stringifyJson(whole, 2)}\n`;
}

/** A system error in words: its code and what the code means here, never its text (which may quote a path or a value). */
export function systemWords(code: string): string {
  const words: Readonly<Record<string, string>> = {
    ENOSPC: 'the disk is full',
    EDQUOT: 'the quota is used up',
    EROFS: 'the file system is read-only',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EIO: 'the disk reported an error',
    EXDEV: 'the folder spans two file systems',
    ELOOP: 'a symlink stands in the way',
    ENOTDIR: 'a file stands where a folder should be',
    ENOENT: 'the folder is gone',
    ENAMETOOLONG: 'the name is too long',
    EMFILE: 'too many open files',
    ENFILE: 'too many open files',
    EFBIG: 'the file is too large',
  };
  const meaning = words[code];
  if (meaning !== undefined) return `${meaning} (${code})`;
  return code === '' ? 'an unexpected error' : code;
}
