// The interface of a sink: it shows its content, is reserved before the secret exists, and takes the secret whole or not at all.
import type { JsonObject } from '../../base/json.ts';
import type { Secrets } from './record.ts';

/** `broken`: the sink cannot be used, because of `reason`; a `stored` one may have a remark there. */
export interface SinkState {
  readonly state: 'stored' | 'absent' | 'broken';
  /** The stored record without its secret; null if the sink does not show it. */
  readonly holds: JsonObject | null;
  readonly reason: string | null;
  /** Whether it holds a credential of the run itself; absent if the sink does not show its content. */
  readonly isOurs?: boolean;
  /** The folder of such sinks does not exist on this machine, so an empty sink shows nothing. */
  readonly isElsewhere?: true;
}

/** A sink that is ready to take one secret. */
export interface Reservation {
  /**
   * Stores the record durably and reads it back. Rejects with `SinkFailure` when that is not certain; the place then holds what it held
   * before, as far as it can be put back. The signal ends a running program.
   */
  store(facts: JsonObject, secrets: Secrets, signal?: AbortSignal): Promise<void>;
  /**
   * After `store`, failed or not: puts back what the place held before, since the new secret is useless. Rejects with
   * `SinkFailure` when the place keeps the new one, or may.
   */
  revert(signal?: AbortSignal): Promise<void>;
  /** Gives back what was reserved and not used. Never rejects; does nothing after `store`. */
  release(): Promise<void>;
}

export interface SecretSink {
  /** Such as `file:ci-deploy.json`. */
  readonly label: string;
  /** The path of a file; absent for other sinks. */
  readonly path?: string;
  /** Changes nothing and never rejects; `broken` if the signal ends it. */
  check(signal?: AbortSignal): Promise<SinkState>;
  /** Makes sure, before the secret exists, that it can be stored. Rejects with `SinkFailure`. */
  reserve(signal?: AbortSignal): Promise<Reservation>;
  /** Removes the record; a file that is no record stays. Rejects with `SinkFailure` unless it is gone. */
  forget(signal?: AbortSignal): Promise<void>;
}

/** The failure of a sink. The message is inert and holds no part of a secret. */
export class SinkFailure extends Error {
  override readonly name = 'SinkFailure' as const;
  readonly label: string;

  constructor(label: string, message: string, cause?: unknown) {
    super(`${label}: ${message}`, cause === undefined ? undefined : { cause });
    this.label = label;
  }
}

/** The code of a system error and its meaning, never its text, which may quote a path or a value. */
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
