// The interface of a sink: it shows its content, is reserved before the secret exists, and stores the secret completely or not at all.
import type { JsonObject } from '../../base/json.ts';
import type { Secrets } from './record.ts';

/** `broken`: the sink cannot be used, because of `reason`. For a `stored` secret, `reason` may be a warning. */
export interface SinkState {
  readonly state: 'stored' | 'absent' | 'broken';
  /** The stored record without its secret; null if the sink does not show its content. */
  readonly holds: JsonObject | null;
  readonly reason: string | null;
  /** True if the sink has a credential that this run uses; absent if the sink does not show its content. */
  readonly isOurs?: boolean;
  /** Set if this machine lacks the base folder of the sink: another machine may hold the secret, so `absent` proves nothing. */
  readonly isElsewhere?: true;
}

export interface Reservation {
  /** Stores durably and verifies. When unsure, restores the old content if possible, and rejects with `SinkFailure`. */
  store(facts: JsonObject, secrets: Secrets, signal?: AbortSignal): Promise<void>;
  /** Restores the former content after any `store`. Rejects with `SinkFailure` if the sink keeps the new secret, or may keep it. */
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

/** The failure of a sink. The message is escaped and has no part of a secret. */
export class SinkFailure extends Error {
  override readonly name = 'SinkFailure' as const;
  readonly label: string;

  constructor(label: string, message: string, cause?: unknown) {
    super(`${label}: ${message}`, cause === undefined ? undefined : { cause });
    this.label = label;
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
