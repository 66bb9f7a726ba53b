// What a place for secrets can do: say what it holds, be reserved before the secret exists, and take it in whole or not at all.
import type { JsonObject } from '../../base/json.ts';
import type { Secrets } from './record.ts';

/** `broken`: it cannot be used as it is; `reason` says why. A `stored` one may carry a remark in `reason`. */
export interface SinkState {
  readonly state: 'stored' | 'absent' | 'broken';
  /** What is told of the stored record, without its secret; null when the place does not tell. */
  readonly holds: JsonObject | null;
  readonly reason: string | null;
  /** Whether it holds the very value that the run comes with; absent where the place does not show what it holds. */
  readonly isOurs?: boolean;
  /** The folder of all such places does not exist on this machine: that the place is empty tells nothing. */
  readonly isElsewhere?: true;
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
   * Stores the record durably and reads it back. Rejects with `SinkFailure` when that is not certain; the place then holds what it held
   * before, as far as it can be put back.
   */
  store(facts: JsonObject, secrets: Secrets, time?: StoreTime): Promise<void>;
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
  /** The file as a person in the working folder types it; absent where it is none. */
  readonly path?: string;
  /** Looks without changing anything; never rejects. A place that is still looking at the signal is `broken`. */
  check(signal?: AbortSignal): Promise<SinkState>;
  /** Makes sure that a secret can be stored; rejects with `SinkFailure`. Called before the secret is made. */
  reserve(signal?: AbortSignal): Promise<Reservation>;
  /** Lets go of the record, for good; rejects with `SinkFailure` unless it is gone then. What is no record stays. */
  forget(signal?: AbortSignal): Promise<void>;
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
